import type { SeedWords } from '../types/plan.ts';
import { halfSipHash } from './half-sip-hash.ts';

/**
 * Addressed draws: each random choice is a pure function of (seed words, trial, stream, key, occurrence), so any
 * worker can draw for any trial in any order and an edit elsewhere in a scenario reshuffles nothing.
 * The vectors in the tests freeze every function here: a change is a breaking release.
 */

/** What a choice is made for. Numbers are part of the frozen vectors. */
export const STREAM = { turn: 1, fault: 2, jitter: 3, plugin: 4, user: 5, model: 6 } as const;

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

/**
 * The key words of one scenario. They depend on the seed (a whole number from 0 to 2^53 − 1) and on the name, not on its
 * place in the suite. Keyed hashing makes the words of different seeds unrelated, so their trials are unrelated, too.
 */
export function deriveWords(seed: number, name: string): SeedWords {
  const key = [seed >>> 0, Math.floor(seed / 0x100000000)] as const;
  return [...halfSipHash(key, `${name}\u0000trial`), ...halfSipHash(key, `${name}\u0000address`)];
}

/** First of the two words of a trial: enters each of its draws before the last mixing. */
export function trialWord(words: SeedWords, trial: number): number {
  return mix32(trial ^ words[0]);
}

/**
 * Second word of a trial: enters each of its draws after the last mixing. Without it, the draws of 2^32 trials for one
 * address would be each number once, for every seed.
 */
export function trialMask(words: SeedWords, trial: number): number {
  return mix32(trial + words[1]);
}

/** What addresses a draw within a trial. Both addends have a key word, so that no two addresses differ alike for two seeds. */
export function addressWord(words: SeedWords, stream: number, key: number, occurrence: number): number {
  const [, , streamWord, keyWord] = words;
  return mix32(
    mix32(streamWord ^ Math.imul(stream, 0x9e3779b1)) + mix32(key ^ keyWord ^ Math.imul(occurrence, 0x85ebca6b)),
  );
}

/** An unsigned 32-bit number from the two words of a trial and an address. */
export function combine(word: number, mask: number, address: number): number {
  return (mix32(word + address) ^ mask) >>> 0;
}

/** One addressed draw, uniform over 0 … 2^32 − 1. */
export function draw(words: SeedWords, trial: number, stream: number, key: number, occurrence = 0): number {
  return combine(trialWord(words, trial), trialMask(words, trial), addressWord(words, stream, key, occurrence));
}
