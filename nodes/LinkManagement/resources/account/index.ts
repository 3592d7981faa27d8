/** The account that owns the API key (document: "Account", "Account update body"). */
export { accountGet } from './get';
export { accountUpdate } from './update';
