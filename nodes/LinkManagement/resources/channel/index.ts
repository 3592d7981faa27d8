/** Channels: named, colored groups of links, bio pages and QR codes (document: "Channel"). */
export { channelAssignItem } from './assignItem';
export { channelCreate } from './create';
export { channelDelete } from './delete';
export { channelGetAll } from './getAll';
export { channelGetItems } from './getItems';
export { channelUpdate } from './update';
