import { RE2JS } from 're2js';
import { messageOf } from '../../values/message-of.ts';
import { PatternProblem } from './tree.ts';

/** Compiles what was written for RE2. Throws `PatternProblem` where it has a bound of its own. */
export function compileRe2(text: string): RE2JS {
  try {
    return RE2JS.compile(text, RE2JS.LOOKBEHINDS);
  } catch (error) {
    throw new PatternProblem(messageOf(error), false);
  }
}
