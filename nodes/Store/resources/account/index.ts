/** The account that owns the API key (document: "Account"). */
export { accountGet } from './get';
