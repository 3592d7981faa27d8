/**
 * `node scan.mjs <folder> <pattern>...` runs the lint of n8n's package scan, with n8n's own rules, on those files of the
 * folder. `npx @n8n/scan-community-package` does the same after it has downloaded a published version and its source.
 */
import { analyzePackage } from '@n8n/scan-community-package/scanner/scanner.mjs';

const [folder, ...patterns] = process.argv.slice(2);
const { passed, message = '', details = '' } = await analyzePackage(folder, patterns);
if (!passed) console.error(`${message}\n${details}`);
process.exitCode = passed ? 0 : 1;
