import type { Dialect } from './dialects.ts';
import type { ServiceName } from './fields.ts';

/** How a dialect writes the values of a response. */

const DECIMALS = ['balance', 'extended', 'price', 'regular'];
const BOOLEANS = ['downloaded', 'public', 'starred'];
/** These decide what a response means, and have settings of their own. */
const KEPT = ['error', 'Retry-After'];
/** Those of links hold what a person wrote. */
const NAMES = ['campaign', 'domain', 'name', 'tag', 'title'];

const ENTITIES: Record<string, string> = { "'": '#039', '"': 'quot', '<': 'lt', '>': 'gt' };

/** A member of a response, or a value in a list, as the dialect writes it. */
export function written(
	name: string,
	value: unknown,
	dialect: Dialect,
	service: ServiceName,
): unknown {
	if (KEPT.includes(name)) return value;
	if (typeof value === 'number') return ofNumber(name, value, dialect, service);
	if (typeof value === 'boolean' && BOOLEANS.includes(name))
		return dialect.types === 'strings' ? [0, '1'][Number(value)] : value;
	if (typeof value !== 'string') return value;
	if (service === 'link') return NAMES.includes(name) ? escaped(value, dialect) : value;
	return dialect.storeShapes === 'installed'
		? value.replace(/(T\d\d:\d\d:\d\d)Z$/, '$1.000000Z')
		: value;
}

function ofNumber(name: string, value: number, dialect: Dialect, service: ServiceName): unknown {
	const { types, storeShapes } = dialect;
	const hasDecimals = types === 'strings' || storeShapes === 'installed';
	if (hasDecimals && DECIMALS.includes(name)) return value.toFixed(2);
	return service === 'link' && types !== 'documented' ? String(value) : value;
}

/** A text with the characters of HTML as entities, if the dialect writes them so. */
export const escaped = (text: string, { shapes }: Dialect): string =>
	shapes === 'documented' ? text : text.replaceAll(/['"<>]/g, (sign) => `&${ENTITIES[sign]};`);
