// Aliases of links: how services rewrite them, and the names by which links are found.

import type { IDataObject } from 'n8n-workflow';

import { textsIn } from '../../shared/values/json';
import { normalized } from '../../shared/values/text';
import { aliasIn, decoded, hostIn } from './shortUrl';

/** The alias of a record, as a list. */
export const aliasesOf = ({ alias, shorturl }: IDataObject): string[] =>
	textsIn(alias ?? aliasIn(shorturl)).map(decoded);

/** An alias as services may rewrite it: without regard to case and marks, and with one kind of blank, `-` and `_`. */
export const rewrittenAlias = (alias: string): string =>
	normalized(decoded(alias), 'NFD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[\s_-]+/g, '-');

/** An alias on a domain; without a domain, on any. */
export const aliasName = (alias: string, domain?: string): string =>
	domain === undefined ? decoded(alias) : `//${hostIn(domain) ?? domain}/${decoded(alias)}`;
