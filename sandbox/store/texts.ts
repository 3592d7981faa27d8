import type { Dialect } from '../dialects.ts';

/** What the store says, in its languages. */

type Language = Exclude<Dialect['storeLanguage'], 'english'>;

const TRANSLATED: Record<string, Record<Language, string>> = {
	success: { portuguese: 'sucesso', german: 'Erfolg' },
	error: { portuguese: 'erro', german: 'Fehler' },
	'Invalid request': { portuguese: 'Pedido inválido', german: 'Ungültige Anfrage' },
	'No items found': { portuguese: 'Nenhum item encontrado', german: 'Keine Artikel gefunden' },
	'Item Not Found': { portuguese: 'Item não encontrado', german: 'Artikel nicht gefunden' },
	'Invalid purchase code': {
		portuguese: 'Código de compra inválido',
		german: 'Ungültiger Kaufcode',
	},
	'The api key field is required.': {
		portuguese: 'O campo chave da API é obrigatório.',
		german: 'Das Feld API-Schlüssel ist erforderlich.',
	},
	'The item id field is required.': {
		portuguese: 'O campo ID do item é obrigatório.',
		german: 'Das Feld Artikel-ID ist erforderlich.',
	},
	'The purchase code field is required.': {
		portuguese: 'O campo código de compra é obrigatório.',
		german: 'Das Feld Kaufcode ist erforderlich.',
	},
	'A valid API key is required to use this service.': {
		portuguese: 'É necessária uma chave de API válida.',
		german: 'Ein gültiger API-Schlüssel ist erforderlich.',
	},
	'Too many requests': { portuguese: 'Muitos pedidos', german: 'Zu viele Anfragen' },
	'Regular License': { portuguese: 'Licença regular', german: 'Standardlizenz' },
	'Extended License': { portuguese: 'Licença estendida', german: 'Erweiterte Lizenz' },
};

/** The text in the language of the dialect; a text that has no translation stays. */
export const translated = (text: string, { storeLanguage }: Dialect): string =>
	storeLanguage === 'english' ? text : (TRANSLATED[text]?.[storeLanguage] ?? text);
