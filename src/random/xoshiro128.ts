import { mix32 } from './draw.ts';

/**
 * xoshiro128** 1.1 (Blackman and Vigna, 2018): for places that need many numbers from one address.
 * Published vector: state 1, 2, 3, 4 gives 11520, 0, 5927040, 70819200, 2031721883, …
 */
export interface Xoshiro128 {
  /** The next unsigned 32-bit number. */
  next(): number;
}

/** A generator in a given state, four words that are not all zero. */
export function xoshiro128FromState(state: readonly [number, number, number, number]): Xoshiro128 {
  let [a, b, c, d] = state;
  return {
    next() {
      const product = Math.imul(b, 5);
      const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = (d << 11) | (d >>> 21);
      return result;
    },
  };
}

/** A generator seeded from one draw: four outputs of SplitMix32, whose state never is all zero. */
export function xoshiro128(seed: number): Xoshiro128 {
  let word = seed | 0;
  const split = (): number => {
    word = (word + 0x9e3779b9) | 0;
    return mix32(word);
  };
  return xoshiro128FromState([split(), split(), split(), split() | 1]);
}
