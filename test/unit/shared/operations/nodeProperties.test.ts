import { resources as linkResources } from '../../../../dist/nodes/LinkManagement/resources/index.js';
import { linkService } from '../../../../dist/nodes/LinkManagement/service.js';
import { nodeProperties } from '../../../../dist/nodes/shared/operations/nodeProperties.js';
import { resources as storeResources } from '../../../../dist/nodes/Store/resources/index.js';
import { storeService } from '../../../../dist/nodes/Store/service.js';

test.each([
	['Link Management', linkService, linkResources],
	['Store', storeService, storeResources],
] as const)('%s shows the fields of each operation in its order', (_node, service, resources) => {
	const names = nodeProperties(service, resources, '').map(({ name }) => name);
	for (const { value: resource, operations } of resources) {
		for (const { value, fields } of operations) {
			const places = fields.map(({ name }) => names.indexOf(name));
			const sorted = places.toSorted((a, b) => a - b);
			expect([resource, value, places]).toEqual([resource, value, sorted]);
		}
	}
});
