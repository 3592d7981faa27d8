/** Branded domains (document: "Domain"). */
export { domainCreate } from './create';
export { domainDelete } from './delete';
export { domainGetAll } from './getAll';
export { domainUpdate } from './update';
