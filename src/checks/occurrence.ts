import type { Occurrence } from '../types/expected-request.ts';

/** True when something happened often enough and not too often. */
export function isMet({ atLeast, atMost }: Occurrence, count: number): boolean {
  return count >= atLeast && (atMost === null || count <= atMost);
}

/** The bounds in words: `exactly 2 requests`, `no denial`. */
export function occurrenceText({ atLeast, atMost }: Occurrence, word: string): string {
  if (atMost === 0) return `no ${word}`;
  const bound = atMost === atLeast ? `exactly ${atLeast}` : boundText(atLeast, atMost);
  return `${bound} ${word}${(atMost ?? atLeast) === 1 ? '' : 's'}`;
}

/** How many fit, as the words before an example: of those that fit, else of all. */
export function proportion(found: number, all: number): string {
  return found === 0 ? `none of ${all}, but` : `${found} of ${all}, such as`;
}

function boundText(atLeast: number, atMost: number | null): string {
  if (atMost === null) return `at least ${atLeast}`;
  return atLeast === 0 ? `at most ${atMost}` : `${atLeast} to ${atMost}`;
}
