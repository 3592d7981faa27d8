/** Installs what `npm run test:e2e` needs, unless it is there. */
import { ensureN8n } from '../n8n-host/install.ts';
import { installPrograms } from './programs.ts';

installPrograms('chromium');
await ensureN8n();
