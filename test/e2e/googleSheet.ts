import type { ExampleStage } from './exampleStage.ts';
import { like } from './matchers.ts';

export function testGoogleSheet(getStage: () => ExampleStage): void {
	test('google-sheet-in-sheet-out.json writes short URL, outcome or reason into each row, and a second run changes only what is new', async () => {
		const file = 'google-sheet-in-sheet-out.json';
		const stage = getStage();
		const { sheet } = stage.google;
		sheet.rows = [
			['Title', 'url', 'alias', 'utm_source'],
			['Spring', 'https://example.com/frühling', 'google-spring', 'Newsletter'],
			['Mistake', 'example dot com', 'google-mistake'],
			[],
			['Summer', 'https://example.com/summer', 'google-summer'],
		];
		await stage.run(file);
		const { linkUrl } = stage.sandbox;
		const spring = sheet.rows[1]?.slice(0, 4);
		const [shortSpring, shortSummer] = [`${linkUrl}/google-spring`, `${linkUrl}/google-summer`];
		expect(sheet.rows).toEqual([
			['Title', 'url', 'alias', 'utm_source', 'shorturl', 'outcome', 'error'],
			[...(spring ?? []), shortSpring, 'created', ''],
			[
				'Mistake',
				'example dot com',
				'google-mistake',
				'',
				'',
				'failed',
				like(/must be a web address/),
			],
			[],
			['Summer', 'https://example.com/summer', 'google-summer', '', shortSummer, 'created', ''],
		]);

		sheet.rows[2] = ['Mistake', 'https://example.com', 'google-mistake', '', '', 'failed'];
		await stage.run(file);
		const results = sheet.rows.map((row) => row.slice(4));
		expect(results.slice(1)).toEqual([
			[shortSpring, 'unchanged', ''],
			[`${linkUrl}/google-mistake`, 'created', ''],
			[],
			[shortSummer, 'unchanged', ''],
		]);
		expect(stage.bodiesOf('/api/url/add')).toHaveLength(1);
	});
}
