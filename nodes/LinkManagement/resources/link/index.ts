/** Short links (document: "Short link"). */
export { linkCreate } from './create';
export { linkDelete } from './delete';
export { linkGet } from './get';
export { linkGetAll } from './getAll';
export { linkGetStatistics } from './getStatistics';
export { linkUpdate } from './update';
export { linkUpsert } from './upsert';
