import { re2 } from '../values/re2.ts';
import { linearSearch } from '../values/linear-search.ts';

/**
 * A test for "the pattern occurs in the text", in time linear in the text. Takes the syntax of JSON Schema patterns
 * without look-around and back-references; throws for those.
 */
export function linearPattern(pattern: string): (text: string) => boolean {
  return linearSearch(re2().translateRegExp(pattern));
}
