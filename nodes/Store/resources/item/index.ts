/** Items of the account (document: "Item"). */
export { itemGet } from './get';
export { itemGetAll } from './getAll';
