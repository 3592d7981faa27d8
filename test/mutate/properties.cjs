const { configureGlobal } = require('fast-check');

/** Properties look at the same examples in every run, for a second at most, and do not search for the smallest failing one. */
configureGlobal({ seed: 1, interruptAfterTimeLimit: 1_000, endOnFailure: true });
