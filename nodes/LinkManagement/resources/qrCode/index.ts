/** QR codes (document: "QR code"). */
export { qrCodeCreate } from './create';
export { qrCodeDelete } from './delete';
export { qrCodeGet } from './get';
export { qrCodeGetAll } from './getAll';
export { qrCodeGetImage } from './getImage';
export { qrCodeGetStatistics } from './getStatistics';
export { qrCodeUpdate } from './update';
