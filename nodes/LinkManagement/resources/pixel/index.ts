/** Tracking pixels (document: "Pixel"). */
export { pixelCreate } from './create';
export { pixelDelete } from './delete';
export { pixelGetAll } from './getAll';
export { pixelUpdate } from './update';
