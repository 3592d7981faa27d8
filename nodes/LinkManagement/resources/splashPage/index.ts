/** Custom splash pages (document: "Splash page (read-only)"). */
export { splashPageGetAll } from './getAll';
