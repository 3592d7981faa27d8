import type { Dialect } from '../dialects.ts';

/** What the store says, as a service in Brazil has it. */
const PORTUGUESE: Record<string, string> = {
	success: 'sucesso',
	error: 'erro',
	'Invalid request': 'Pedido inválido',
	'No items found': 'Nenhum item encontrado',
	'Item Not Found': 'Item não encontrado',
	'Invalid purchase code': 'Código de compra inválido',
	'The api key field is required.': 'O campo chave da API é obrigatório.',
	'The item id field is required.': 'O campo ID do item é obrigatório.',
	'The purchase code field is required.': 'O campo código de compra é obrigatório.',
	'A valid API key is required to use this service.': 'É necessária uma chave de API válida.',
	'Too many requests': 'Muitos pedidos',
	'Regular License': 'Licença regular',
	'Extended License': 'Licença estendida',
};

/** The text in the language of the dialect; a text that has no translation stays. */
export const translated = (text: string, { storeLanguage }: Dialect): string =>
	(storeLanguage === 'portuguese' ? PORTUGUESE[text] : undefined) ?? text;
