/**
 * Fills a path such as `/api/url/:linkId/update`. Only ids and options get into it, so no row can lead to another path.
 * @param word the option that a parameter holds; undefined if it holds an id
 */
export function fillPath(
	template: string,
	id: (name: string) => number,
	word: (name: string) => string | undefined,
): { path: string; ids: Record<string, number> } {
	const ids: Record<string, number> = {};
	const path = template.replace(/:([A-Za-z]+)/g, (_placeholder, name: string) => {
		const option = word(name);
		if (option !== undefined) return encodeURIComponent(option);
		ids[name] = id(name);
		return String(ids[name]);
	});
	return { path, ids };
}
