const PLACEHOLDER = /:([A-Za-z]+)/g;

/** The names in a path such as `/api/url/:linkId/update`. */
export const placeholdersIn = (template: string): string[] =>
	Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name);

/**
 * Fills such a path. Only ids and options get into it, so no row can lead to another path.
 * @param words the options in it, by their placeholders; every other placeholder is an id
 */
export function fillPath(
	template: string,
	id: (name: string) => number,
	words: Readonly<Record<string, string>>,
): { path: string; ids: Record<string, number> } {
	const ids: Record<string, number> = {};
	const path = template.replace(PLACEHOLDER, (_placeholder, name: string) => {
		const word = words[name];
		if (word !== undefined) return encodeURIComponent(word);
		ids[name] = id(name);
		return String(ids[name]);
	});
	return { path, ids };
}
