/**
 * `node scan.mjs <folder>...` runs the lint of n8n's package scan, with n8n's own rules, on unpacked packages.
 * `npx @n8n/scan-community-package` does the same after it has downloaded a published version and its source.
 */
import { analyzePackage } from '@n8n/scan-community-package/scanner/scanner.mjs';

for (const folder of process.argv.slice(2)) {
	const {
		passed,
		message = '',
		details = '',
	} = await analyzePackage(folder, ['**/*.js', 'package.json']);
	if (!passed) console.error(`${folder}: ${message}\n${details}`);
	if (!passed) process.exitCode = 1;
}
