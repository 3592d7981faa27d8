// Pickers of countries, languages and devices, which the API does not list.

import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';

import { locator } from '../shared/operations/fields';

/** ISO 3166-1 codes of the countries; the names come from Node.js. */
const COUNTRY_CODES =
	'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

/** ISO 639-1 codes of the languages that browsers commonly ask for. */
const LANGUAGE_CODES =
	'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zu';

const DEVICES = 'android desktop ios ipad iphone linux macos mobile tablet windows';

interface Suggestion {
	name: string;
	value: string;
}

const displayNames = (
	codes: string,
	type: 'region' | 'language',
	valueOf: (name: string, code: string) => string,
): Suggestion[] => {
	const names = new Intl.DisplayNames(['en'], { type });
	return codes
		.split(' ')
		.map((code) => ({ code, name: names.of(code) ?? code }))
		.map(({ code, name }) => ({ name, value: valueOf(name, code) }))
		.sort((a, b) => a.name.localeCompare(b.name));
};

function suggest(names: Suggestion[]) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const wanted = filter.trim().toLowerCase();
		const results = names.filter(({ name, value }) =>
			`${name} ${value}`.toLowerCase().includes(wanted),
		);
		return await Promise.resolve({ results });
	};
}

/** The usual values of targeting fields, without a request: the API does not list them. */
export const suggestions = {
	searchCountries: suggest(displayNames(COUNTRY_CODES, 'region', (name) => name)),
	searchDevices: suggest(DEVICES.split(' ').map((device) => ({ name: device, value: device }))),
	searchLanguages: suggest(displayNames(LANGUAGE_CODES, 'language', (_name, code) => code)),
};

interface SuggestedName {
	name: string;
	displayName: string;
	placeholder: string;
	description: string;
	/** The list of suggestions: a name in the node's `methods.listSearch`. */
	search: string;
}

/** A text field with a list of suggestions: the API documents do not list the values. */
export function suggestedName({ placeholder, ...field }: SuggestedName): INodeProperties {
	const { modes = [], ...picker } = locator({ ...field, required: false });
	const fromList = modes.slice(0, 1);
	return {
		...picker,
		modes: [...fromList, { displayName: 'By Name', name: 'name', type: 'string', placeholder }],
	};
}
