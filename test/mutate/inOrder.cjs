/** Jest would begin with the largest file. So the tests run in the order of the command line. */
module.exports = class InOrder {
	sort(tests) {
		return tests;
	}

	cacheResults() {}
};
