import { besidePlaceholders } from '../../../../dist/nodes/LinkManagement/values/address.js';

const changed = (text: string) => besidePlaceholders(text, (part) => part.toUpperCase());

test.each([
	'{x y}',
	'{{ x }}',
	'{a{b}c}',
	'[x y]',
	'%%x y%%',
	'*|x y|*',
	'<%= x %>',
	'${x}',
	'__X_Y__',
])('%s stays as it is', (placeholder) => {
	expect(changed(`a${placeholder}b`)).toBe(`A${placeholder}B`);
});

test.each(['{x', '[x', '%x%', '|x|', '<x>', '__x__'])('%s is no placeholder', (text) => {
	expect(changed(text)).toBe(text.toUpperCase());
});
