/** Campaigns: groups of short links with a rotator address (document: "Campaign"). */
export { campaignAssignLink } from './assignLink';
export { campaignCreate } from './create';
export { campaignDelete } from './delete';
export { campaignGetAll } from './getAll';
export { campaignUpdate } from './update';
