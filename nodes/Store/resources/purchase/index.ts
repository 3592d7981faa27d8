/** Purchases (document: "Purchase"). */
export { purchaseValidate } from './validate';
