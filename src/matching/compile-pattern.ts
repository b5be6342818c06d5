import { PasskError } from '../errors.ts';
import { linearSearch } from '../values/linear-search.ts';
import { messageOf } from '../values/message-of.ts';
import { isTooMuchWork } from '../values/work.ts';

/** A test for "the pattern occurs in the text", in time linear in the text. `owner` names who wrote it. */
export function compilePattern(pattern: string, owner: string): (text: string) => boolean {
  try {
    return linearSearch(pattern);
  } catch (cause) {
    if (isTooMuchWork(cause)) throw cause;
    const why = messageOf(cause);
    throw new PasskError('INPUT', `${owner}: ${JSON.stringify(pattern)} is not a pattern: ${why}.`, {
      hint: 'Write it in RE2 syntax, which has no look-around and no back-references.',
      cause,
    });
  }
}
