/** Custom splash pages, which the API can only list (document: "Splash page (read-only)"). */
export { splashPageGetAll } from './getAll';
