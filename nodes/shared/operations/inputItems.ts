// Questions about all input items of a run, each answered once: whether any passes a test, and the names of all columns.

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

export class InputItems {
	private readonly answers = new Map<string, boolean>();
	private allColumns: string[] | undefined;

	constructor(private readonly items: readonly INodeExecutionData[]) {}

	/** Whether any of them passes a test. It is made once a run, and known by its question. */
	some(question: string, test: (row: IDataObject) => boolean): boolean {
		const answer = this.answers.get(question) ?? this.items.some(({ json }) => test(json));
		this.answers.set(question, answer);
		return answer;
	}

	/** The names of all columns. */
	get columns(): string[] {
		this.allColumns ??= [...new Set(this.items.flatMap(({ json }) => Object.keys(json)))];
		return this.allColumns;
	}
}
