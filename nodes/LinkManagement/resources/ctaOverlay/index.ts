/** CTA overlays, which the API can only list (document: "CTA overlay (read-only)"). */
export { ctaOverlayGetAll } from './getAll';
