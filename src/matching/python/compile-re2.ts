import { re2 } from '../../values/re2.ts';
import { linearSearch } from '../../values/linear-search.ts';
import { messageOf } from '../../values/message-of.ts';
import { isTooMuchWork } from '../../values/work.ts';
import { PatternProblem } from './tree.ts';

/** A search for what was written for RE2. Throws `PatternProblem` where it has a bound of its own. */
export function compileRe2(text: string): (text: string) => boolean {
  try {
    return linearSearch(text, re2().LOOKBEHINDS);
  } catch (error) {
    if (isTooMuchWork(error)) throw error;
    throw new PatternProblem(messageOf(error), false);
  }
}
