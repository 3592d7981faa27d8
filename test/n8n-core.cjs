module.exports = globalThis.n8n?.core ?? require('../node_modules/n8n-core');
