/** Installs what the tests after `npm test` need, unless it is there. `.ci/run` does it meanwhile. */
import { ensureEngine, ensureN8n } from '../n8n-host/install.ts';
import { N8N_VERSIONS } from '../n8n-host/versions.ts';
import { installPrograms } from './programs.ts';

installPrograms();
await Promise.all([ensureN8n(), ensureEngine(N8N_VERSIONS[0])]);
