import type { SuiteVerbs } from '../suite-kind.ts';
import { loadGenerated } from './load-generated.ts';

/** Generated scenarios stand for themselves. What became of a set is folded from their reports, beside ladders and attacks. */
export const generatedVerbs: SuiteVerbs = {
  load: loadGenerated,
  notices: () => [],
  barOf: () => null,
  wants: () => [],
  fold: () => ({ results: [] }),
};
