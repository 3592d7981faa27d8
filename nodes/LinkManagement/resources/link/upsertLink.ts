// *Create or Update*: finds the link of a row in the list, then creates it, updates it or leaves it alone.

import type { IDataObject } from 'n8n-workflow';

import type { RowRequest, RowContext } from '../../../shared/operations/operation';
import { inputFailure, toFailure } from '../../../shared/values/failure';
import { mapIn, textIn } from '../../../shared/values/json';
import { parseId } from '../../../shared/values/input';
import { linkPath, linksByAliasOrUrl } from '../../serviceLists';
import { withDomain } from './body';
import { unusedColumns } from './columns';
import { findLink } from './findLink';
import { qrCodeOf } from './ownQrCode';
import { addToPlaces, checkPlaces, findPlaces, type PickedPlace } from './places';
import { withRedirectPage } from './redirect';
import { createdLink, isAt, figuresOf, listedLink, writtenLink } from './writtenLink';
import { leadsTo } from '../../values/longUrl';

/** What is done at the turn of a row. @returns its link with its `outcome` */
export async function upsertLink(
	request: RowRequest,
	row: RowContext,
	places: readonly PickedPlace[],
): Promise<IDataObject> {
	const index = row.list(linksByAliasOrUrl);
	const wanted = { ...request, body: withRedirectPage(request.body, row) };
	const found = await findLink(wanted.body, index, row);
	const isDryRun = mapIn(row.input.parameter('options')).dryRun === true;
	const write = isDryRun ? pretendedLink : writtenLinkInPlaces;
	const link = leftAlone(found, wanted, row) ?? (await write(found, wanted, places, row));
	const isMapped = row.input.columns !== undefined;
	const unused = isDryRun && isMapped ? { unused_columns: unusedColumns(row.input) } : {};
	return { ...link, ...(await qrCodeOf(link, row)), ...unused };
}

/** The link, if there is nothing to write. @throws Failure if an earlier row says something else of it */
function leftAlone(
	found: IDataObject | undefined,
	request: RowRequest,
	row: RowContext,
): IDataObject | undefined {
	// What an earlier try has written may still have to be put into its places.
	if (!found || row.writes.hasTried('create') || row.writes.hasTried('update')) return undefined;
	const unchanged = { outcome: 'unchanged', ...listedLink(found) };
	const other = otherRow(found, request, row);
	if (isUpToDate(found, request.body)) return unchanged;
	if (other !== undefined) {
		throw inputFailure(
			`The link ${textIn(found.shorturl) ?? ''} is already in ${other}`,
			'Remove one of these rows, or give each its own alias',
		);
	}
	return row.input.parameter('ifExists') === 'keep' ? unchanged : undefined;
}

/** An earlier row about the link that says something else of it, as messages name it. */
function otherRow(
	{ shorturl }: IDataObject,
	{ body }: RowRequest,
	row: RowContext,
): string | undefined {
	const value = JSON.stringify(body);
	const first = row.claim(`link ${textIn(shorturl) ?? ''}`, value);
	return first?.value === value ? undefined : first?.label;
}

/** Whether a link has all that a row says of it, as far as the list shows it. */
const isUpToDate = (link: IDataObject, { url, custom, domain, ...others }: IDataObject): boolean =>
	Object.keys(others).length === 0 &&
	leadsTo(link.longurl, { url }) &&
	isAt(link, { custom, domain });

async function writtenLinkInPlaces(
	found: IDataObject | undefined,
	request: RowRequest,
	picked: readonly PickedPlace[],
	row: RowContext,
): Promise<IDataObject> {
	const index = row.list(linksByAliasOrUrl);
	const places = await findPlaces(picked, row);
	const sent = { ...request, body: await withDomain(request.body, row) };
	const link =
		found && !row.writes.hasTried('create')
			? await row.writes.once('update', async () => await update(found, sent, row))
			: await row.writes.once('create', async () => await create(found, sent, row));
	otherRow(link, request, row);
	index.put(link);
	if (link.outcome !== 'unchanged') await addToPlaces(places, link, row);
	return link;
}

/** What a dry run says of a link that would be written. Later rows find the link as it would be. */
async function pretendedLink(
	found: IDataObject | undefined,
	request: RowRequest,
	places: readonly PickedPlace[],
	row: RowContext,
): Promise<IDataObject> {
	const { body } = request;
	await checkPlaces(places, row);
	const known = found ?? { shorturl: pretendedUrl(body, row) };
	if (!found) otherRow(known, request, row);
	row.list(linksByAliasOrUrl).put({ ...known, ...writtenLink({}, body, known) });
	if (found) return { outcome: 'would be updated', ...listedLink(found) };
	const alias = textIn(body.custom) ?? null;
	return {
		outcome: 'would be created',
		id: null,
		shorturl: null,
		longurl: body.url,
		alias,
	};
}

/** Stands for the short URL that the link would get: on its domain, and no other link has it. */
function pretendedUrl({ url, custom, domain }: IDataObject, { session }: RowContext): string {
	const alias = encodeURIComponent(textIn(custom) ?? textIn(url) ?? '');
	return `${textIn(domain) ?? session.connection.baseUrl}/${alias}`;
}

/** An alias that the link already has is not sent: it may be refused. */
async function update(
	found: IDataObject,
	request: RowRequest,
	row: RowContext,
): Promise<IDataObject> {
	const { custom, ...others } = request.body;
	const body = isAt(found, { custom }) ? others : request.body;
	const path = `${linkPath(parseId('linkId', found.id))}/update`;
	const { body: response } = await row.send({ ...request, method: 'PUT', path, body });
	const known = listedLink(found);
	return { outcome: 'updated', ...known, ...writtenLink(response, body, known) };
}

const RUN_AGAIN =
	'Run the workflow again: a link that was created is found, not created twice. If the row has a campaign or channel, add it there';

/** A create without a response may have made the link: the next try or run finds it. @param found the link, if one did */
async function create(
	found: IDataObject | undefined,
	request: RowRequest,
	row: RowContext,
): Promise<IDataObject> {
	if (found) return { ...(await update(found, request, row)), outcome: 'created' };
	const index = row.list(linksByAliasOrUrl);
	try {
		const link = createdLink((await row.send(request)).body, request.body);
		// A service may answer with a link that it already has.
		const known = index.get(link.id);
		return { outcome: known ? 'unchanged' : 'created', ...link, ...figuresOf(known ?? {}) };
	} catch (error) {
		const failure = toFailure(error);
		if (!failure.outcomeUnknown) throw failure;
		// The service refuses a second link with the alias, should the first one come late.
		throw failure.with({ mayRetry: request.body.custom !== undefined, advice: RUN_AGAIN });
	}
}
