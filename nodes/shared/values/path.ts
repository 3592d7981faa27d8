// Fills the placeholders of a path such as /api/url/:linkId/update.

const PLACEHOLDER = /:([A-Za-z]+)/g;

export const placeholdersIn = (template: string): string[] =>
	Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name);

/** Only ids and options get into it, so no row can lead to another path. */
export const fillPath = (
	template: string,
	values: Readonly<Record<string, number | string>>,
): string =>
	template.replace(PLACEHOLDER, (_placeholder, name: string) =>
		encodeURIComponent(String(values[name])),
	);
