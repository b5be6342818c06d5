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

function boundText(atLeast: number, atMost: number | null): string {
  if (atMost === null) return `at least ${atLeast}`;
  return atLeast === 0 ? `at most ${atMost}` : `${atLeast} to ${atMost}`;
}
