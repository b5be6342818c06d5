import type { SeededRandom } from '../plugin/generator-type.ts';
import { deriveWords } from '../random/draw.ts';
import { xoshiro128FromState } from '../random/xoshiro128.ts';

const WORDS = 0x100000000;

/** Draws that follow from a seed, a whole number from 0 to 2^53 − 1, and from the name of what is drawn for. */
export function seededRandom(seed: number, name: string): SeededRandom {
  const [a, b, c, d] = deriveWords(seed, name);
  // A state of four zeros would stay there.
  const stream = xoshiro128FromState([a, b, c, d | 1]);
  const below = (bound: number): number => {
    if (!Number.isInteger(bound) || bound < 1 || bound > WORDS) {
      throw new RangeError(`below() takes a whole number from 1 to 2^32, got ${String(bound)}.`);
    }
    // Numbers above the last whole round of `bound` are drawn again, so that each is as likely.
    const end = WORDS - (WORDS % bound);
    for (;;) {
      const word = stream.next();
      if (word < end) return word % bound;
    }
  };
  return {
    below,
    pick(list) {
      if (list.length === 0) throw new RangeError('pick() takes a list that has something.');
      return list[below(list.length)] as (typeof list)[number];
    },
    shuffle(list) {
      const shuffled = [...list];
      // Fisher and Yates.
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = below(i + 1);
        const [x, y] = [shuffled[i], shuffled[j]] as [(typeof list)[number], (typeof list)[number]];
        shuffled[i] = y;
        shuffled[j] = x;
      }
      return shuffled;
    },
  };
}

/** The seed of the n-th scenario of a set: no two sets have one in common but by chance. */
export function scenarioSeed(seed: number, family: string, n: number): number {
  return deriveWords(seed, `${family}\u0000${n}`)[0] >>> 0;
}
