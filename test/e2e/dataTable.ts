import type { N8nClient } from '../n8n-host/client.ts';
import type { JsonRecord } from '../n8n-host/json.ts';
import { list, record, text } from '../n8n-host/json.ts';

/** One of n8n's data tables, as the editor shows and changes it. */
export class DataTable {
	readonly #client: N8nClient;
	readonly #path: string;

	private constructor(client: N8nClient, path: string) {
		this.#client = client;
		this.#path = path;
	}

	/** The tables of that very name. */
	static async named(client: N8nClient, name: string): Promise<DataTable[]> {
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const answer = record(await client.get(`/data-tables-global?filter=${filter}`));
		return list(answer.data)
			.map(record)
			.filter((table) => table.name === name)
			.map(({ id, projectId }) => {
				const project = text(projectId, 'project id');
				return new DataTable(client, `/projects/${project}/data-tables/${text(id, 'table id')}`);
			});
	}

	/** @throws Error unless there is exactly one of that name */
	static async open(client: N8nClient, name: string): Promise<DataTable> {
		const [table, ...others] = await DataTable.named(client, name);
		if (table === undefined || others.length > 0) {
			throw new Error(`There is not one data table "${name}"`);
		}
		return table;
	}

	/** All rows in the order in which they were made. */
	async rows(): Promise<JsonRecord[]> {
		const answer = record(await this.#client.get(`${this.#path}/rows?sortBy=id:asc&take=250`));
		return list(answer.data).map(record);
	}

	async add(rows: JsonRecord[]): Promise<void> {
		await this.#client.post(`${this.#path}/insert`, { data: rows });
	}

	/** Changes the rows whose column has that value. */
	async change(column: string, value: string, data: JsonRecord): Promise<void> {
		const filters = [{ columnName: column, condition: 'eq', value }];
		await this.#client.patch(`${this.#path}/rows`, { filter: { type: 'and', filters }, data });
	}
}
