import { re2 } from './re2.ts';
import { PasskError } from '../errors.ts';
import { countWork } from './work.ts';

/** Size of a pattern times length of a text: more could take minutes. */
const MAX_SEARCH = 2 ** 32;
/** What it takes to compile one instruction. */
const COMPILE_WORK = 100;

/**
 * A test for "the pattern occurs in the text", in time linear in the text. Throws what RE2JS says of a pattern that it does
 * not take. The test throws `INPUT` where a search could take minutes.
 */
export function linearSearch(pattern: string, flags = 0): (text: string) => boolean {
  const compiled = re2().compile(pattern, flags);
  const size = compiled.programSize();
  countWork(size * COMPILE_WORK);
  return (text) => {
    const steps = size * text.length;
    if (steps > MAX_SEARCH) throw takesTooLong(size, text.length);
    countWork(steps);
    return compiled.test(text);
  };
}

/**
 * True: the pattern occurs in every text, since an empty match fits at its beginning whatever comes next: nothing, a letter,
 * a line break or anything else, which is all that RE2 tells apart there. False of some patterns that occur in every text.
 */
export function occursInEveryText(pattern: string, flags = 0): boolean {
  return ['', 'a', ' ', '\n'].every((next) => linearSearch(`\\A(?:${pattern})${next}\\z`, flags)(next));
}

function takesTooLong(size: number, length: number): PasskError {
  return new PasskError('INPUT', `A pattern of ${size} instructions is not searched for in ${length} characters.`, {
    hint: 'Make the pattern or the text shorter.',
  });
}
