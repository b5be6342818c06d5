import type { Json } from '../../types/json.ts';
import { countWork } from '../../values/work.ts';
import { showText } from '../show-value.ts';
import type { Rule } from './rule.ts';

/** Texts that are remembered at once, and how long they may be: a bound on memory, not on what is judged. */
const MAX_KEPT = 256;
const MAX_LENGTH = 16 * 1024;
/** What the rules take for each character that they look at. */
const LOOK_WORK = 8;

export interface TextRuleParts {
  readonly expected: Json;
  readonly wanted: string;
  readonly wantedNot: string;
  readonly test: (text: string) => boolean;
  /** What was found in the text; null: nothing. */
  readonly found?: (text: string) => string | null;
  /** What is wrong with the text; null: nothing. */
  readonly flaw?: (text: string) => string | null;
}

/** A rule that needs nothing but the text of the answer. Each text is looked at once for as long as it is remembered. */
export function textRule({ expected, wanted, wantedNot, test, found, flaw }: TextRuleParts): Rule {
  const verdict = remembering(test);
  return {
    needsAnswer: true,
    onEnding: true,
    expected,
    wanted,
    wantedNot,
    holds: ({ text }) => (text === null ? null : verdict(text)),
    got: ({ text }) => text,
    saw: ({ text }) => {
      const answer = text ?? '';
      const [what, why] = [found?.(answer) ?? null, flaw?.(answer) ?? null];
      return `${what === null ? '' : `${what} in `}${showText(answer)}${why === null ? '' : ` (${why})`}`;
    },
  };
}

/** Subjects give few different texts in many trials: often the very same object as the last time. */
function remembering(test: (text: string) => boolean): (text: string) => boolean {
  const verdicts = new Map<string, boolean>();
  let last: string | null = null;
  let verdict = false;
  return (text) => {
    if (text === last) return verdict;
    const hit = verdicts.get(text);
    // A test of the user may throw: then nothing is known of the text.
    if (hit === undefined) countWork(text.length * LOOK_WORK);
    const found = hit ?? test(text);
    if (hit === undefined && text.length <= MAX_LENGTH) {
      if (verdicts.size >= MAX_KEPT) verdicts.clear();
      verdicts.set(text, found);
    }
    last = text;
    verdict = found;
    return found;
  };
}
