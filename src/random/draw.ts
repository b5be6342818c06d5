import type { SeedWords } from '../types/plan.ts';

/**
 * Addressed draws: each random choice is a pure function of (seed words, trial, stream, key, occurrence), so any
 * worker can draw for any trial in any order and an edit elsewhere in a scenario reshuffles nothing.
 * The vectors in the tests freeze every function here: a change is a breaking release.
 */

/** What a choice is made for. Numbers are part of the frozen vectors. */
export const STREAM = { turn: 1, fault: 2, jitter: 3, plugin: 4 } as const;

/** 32-bit finaliser with low bias ("lowbias32", Chris Wellons, hash-prospector). */
export function mix32(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}

/** 32-bit FNV-1a over UTF-8 code units of `text`, finalised: the key of a name. */
export function hashText(text: string, seed = 0x811c9dc5): number {
  let hash = seed | 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return mix32(hash) >>> 0;
}

/** The two words of one scenario (or cell): they depend on the seed and the name, not on its place in the suite. */
export function deriveWords(seed: number, name: string, cell = ''): SeedWords {
  const low = hashText(`${name}\u0000${cell}`, 0x811c9dc5);
  const high = hashText(`${name}\u0000${cell}`, 0x9e3779b9);
  const seedLow = mix32(seed % 0x100000000);
  const seedHigh = mix32(Math.floor(seed / 0x100000000) ^ 0x6a09e667);
  return [mix32(low ^ seedLow) >>> 0, mix32(high + seedHigh) >>> 0];
}

/** First stage of a draw: the same for all draws of one trial. */
export function trialWord(words: SeedWords, trial: number): number {
  return mix32(trial ^ words[0]);
}

/** Second stage's constant: the same for all trials. `words[1]` enters here, so both stages are keyed. */
export function addressWord(words: SeedWords, stream: number, key: number, occurrence: number): number {
  return mix32(mix32(words[1] ^ Math.imul(stream, 0x9e3779b1)) + mix32(key ^ Math.imul(occurrence, 0x85ebca6b)));
}

/** An unsigned 32-bit number from both stages. */
export function combine(trial: number, address: number): number {
  return mix32(trial + address) >>> 0;
}

/** One addressed draw, uniform over 0 … 2^32 − 1. */
export function draw(words: SeedWords, trial: number, stream: number, key: number, occurrence = 0): number {
  return combine(trialWord(words, trial), addressWord(words, stream, key, occurrence));
}
