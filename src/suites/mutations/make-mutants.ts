import { mutate } from '../../mutations/mutate.ts';
import { deriveWords, draw, hashText, STREAM } from '../../random/draw.ts';
import type { Mutants, MutationType } from '../../types/mutations/mutation.ts';

export interface MutantOptions {
  readonly types: readonly MutationType[];
  /** Mutants of each prompt, shared among the types: at least one of each. */
  readonly count: number;
  /** The same seed gives the same mutants, whatever the run's own seed is. */
  readonly seed: number;
}

/** Characters of all mutants of a contract together. */
export const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Mutated prompts by type. What came out as it was, or as before, is only counted. Null: they are too long. */
export function makeMutants(
  prompts: readonly string[],
  { types, count, seed }: MutantOptions,
): readonly Mutants[] | null {
  const words = deriveWords(seed, 'mutations');
  let room = MOST_CHARACTERS;
  const made: Mutants[] = [];
  for (const [place, type] of types.entries()) {
    const share = Math.floor(count / types.length) + (place < count % types.length ? 1 : 0);
    const texts: { readonly prompt: number; readonly text: string }[] = [];
    let unchanged = 0;
    let repeated = 0;
    for (const [prompt, written] of prompts.entries()) {
      const taken = new Set<string>();
      for (let n = 0; n < Math.max(1, share); n++) {
        const key = hashText(`${type} ${prompt}`);
        const text = mutate(written, type, (at) => draw(words, n, STREAM.user, key, at) / 0x100000000);
        if (text === written) unchanged++;
        else if (taken.has(text)) repeated++;
        else {
          room -= text.length;
          if (room < 0) return null;
          taken.add(text);
          texts.push({ prompt, text });
        }
      }
    }
    made.push({ type, texts, unchanged, ...(repeated > 0 && { repeated }) });
  }
  return made;
}
