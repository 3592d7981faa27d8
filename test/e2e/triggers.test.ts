import { testTriggers } from './triggers.ts';

testTriggers('triggers', {});
