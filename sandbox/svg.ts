import { escapeHtml } from './html.ts';

/** A card with a text on it, in place of a picture of a real service. */
export const svgCard = (caption: string): string =>
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180"><rect width="320" height="180" fill="#345"/><text x="160" y="95" fill="#fff" font-family="sans-serif" font-size="18" text-anchor="middle">${escapeHtml(caption)}</text></svg>`;
