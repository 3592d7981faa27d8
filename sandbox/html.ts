/** A small page; `body` is HTML. */
export const htmlPage = (title: string, body = ''): string =>
	`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;
