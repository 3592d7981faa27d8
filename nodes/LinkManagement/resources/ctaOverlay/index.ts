/** CTA overlays (document: "CTA overlay (read-only)"). */
export { ctaOverlayGetAll } from './getAll';
