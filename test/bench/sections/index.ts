import type { Section } from '../section.ts';
import { bulk } from './bulk.ts';
import { operations } from './operations.ts';
import { perItem } from './perItem.ts';
import { returnAll } from './returnAll.ts';
import { sharing } from './sharing.ts';
import { trigger } from './trigger.ts';
import { validation } from './validation.ts';

/** In the order of BENCHMARKS.md; each is named as its file is. */
export const SECTIONS: Record<string, Section> = {
	bulk,
	sharing,
	returnAll,
	perItem,
	trigger,
	validation,
	operations,
};
