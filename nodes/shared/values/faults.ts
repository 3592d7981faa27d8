// What no value can mean, but what would be sent without a word. docs/decisions/5-guards.md says when a fault belongs here.

/** What is wrong with a text. */
export interface Fault {
	isIn: (text: string) => boolean;
	what: string;
	advice: string;
}

/** Exactly as programs write them; `none` and `n/a` may be names. */
export const EMPTY_WORDS: ReadonlySet<string> = new Set([
	'null',
	'NULL',
	'None',
	'undefined',
	'NaN',
	'[object Object]',
]);

/** The errors of Excel (ERROR.TYPE), Google Sheets and LibreOffice in English, German, French, Spanish, Italian and Portuguese. */
const FORMULA_ERRORS: ReadonlySet<string> = new Set(
	[
		'#NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #N/A #GETTING_DATA #SPILL! #CALC! #ERROR!',
		'#CONNECT! #BLOCKED! #UNKNOWN! #FIELD! #BUSY!',
		'#WERT! #BEZUG! #ZAHL! #NV #ÜBERLAUF! #KALK! #FEHLER!',
		'#NUL! #VALEUR! #NOM? #NOMBRE! #PROPAGATION! #ERREUR!',
		'#¡NULO! #¡DIV/0! #¡VALOR! #¡REF! #¿NOMBRE? #¡NUM! #N/D #¡DESBORDAMIENTO! #¡CALC! #¡ERROR!',
		'#NULLO! #VALORE! #RIF! #NOME? #ESPANSIONE! #ERRORE!',
		'#NULO! #VALOR! #NÚM! #DESPEJAR! #ERRO!',
	].flatMap((errors) => errors.split(' ')),
);

/** LibreOffice numbers some of its errors; Excel saves `####` for a number that its column is too narrow for. */
const OTHER_ERROR = /^(?:Err:5\d\d|#{3,})$/;

/** Of n8n, whose expressions begin with a variable; `{{name}}` and `{{${name}}}` are placeholders of mail tools. */
const EXPRESSION = /\{\{\s*\$[a-z(]/i;

function isLeftover(text: string): boolean {
	const alone = text.trim();
	return FORMULA_ERRORS.has(alone) || OTHER_ERROR.test(alone) || EXPRESSION.test(text);
}

/** What no letter was found for; what Latin1 has no letters for; UTF-8 read as Latin1 or by Excel, as `Ã¼` for `ü` and `â€™` for `’`. */
const WRONG_ENCODING =
	/[\ufffd\u0080-\u009f]|[ÂÃÎÏÐÑ][\u00a1-\u00ba\u00bc-\u00bf]|[ÂÃ][€‚ƒ„†‡ˆ‰Š‹ŒŽ–—˜™šœžŸ]|â€|â‚¬/;

const ENCODING: Fault = {
	isIn: (text) => WRONG_ENCODING.test(text),
	what: 'was read in the wrong encoding',
	advice: "Save the file as CSV UTF-8, or set 'Encoding' in Extract from File",
};

const LEFTOVER: Fault = {
	isIn: isLeftover,
	what: 'is an error instead of a value',
	advice: 'Check the formula or expression that gives it',
};

const CONTROL: Fault = {
	isIn: (text) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text),
	what: 'has a line break or another control character',
	advice: 'Remove it, or check the expression that gives the value',
};

/** As 4.91701E+11. */
const ROUNDED: Fault = {
	isIn: (text) => /^[+-]?\d+(?:[.,]\d+e[+-]?|e[+-])\d+$/i.test(text),
	what: 'is a number that a spreadsheet or a program has changed',
	advice: 'Format the column as text, and enter the value again',
};

/** As 2024.0; a version such as 2.0 may be meant. */
const DECIMALS: Fault = { ...ROUNDED, isIn: (text) => /^[+-]?\d{4,}[.,]0+$/.test(text) };

const NOTHING: Fault = { ...LEFTOVER, isIn: (text) => EMPTY_WORDS.has(text) };

export const AS_TEXT = ROUNDED.advice;

export const FAULTS_OF_TEXT: readonly Fault[] = [ENCODING, LEFTOVER];
export const FAULTS_OF_LINE: readonly Fault[] = [...FAULTS_OF_TEXT, NOTHING, CONTROL, ROUNDED];
export const FAULTS_OF_NUMERIC_LINE: readonly Fault[] = [...FAULTS_OF_LINE, DECIMALS];
