import type { Similarity, SimilarityType } from '../../plugin/similarity-type.ts';
import { countWork } from '../../values/work.ts';

/** The method of `textSimilarity`, by name: figures of different methods cannot be compared. */
export const SIMILARITY_METHOD = 'lexical cosine of words and character trigrams';

/** Characters of each text that are compared. */
const MAX_LENGTH = 64 * 1024;
/** What it takes to count the terms that begin at one character. */
const TERM_WORK = 32;

/**
 * The mean of two cosines between vectors of term frequencies: one over words, one over runs of three characters. Without
 * a model and without a network: it sees wording, not meaning, so a paraphrase in other words scores low. Case, accents
 * in other encodings, white space and punctuation between words do not matter; nor does the order of words but for
 * neighbours. Texts are compared up to their first 65,536 characters, in time linear in those. Sources: Salton, Wong and
 * Yang 1975 (vector space model); Cavnar and Trenkle 1994 (character n-grams).
 */
export const textSimilarity: Similarity = (left, right) => {
  if (left === right) return 1;
  countWork(TERM_WORK * (Math.min(MAX_LENGTH, left.length) + Math.min(MAX_LENGTH, right.length)));
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (a.length === 0 || b.length === 0) return plain(left) === plain(right) ? 1 : 0;
  const score = (cosine(counts(a), counts(b)) + cosine(counts(trigrams(a)), counts(trigrams(b)))) / 2;
  // Sums of the same terms in another order differ in their last digits.
  return Math.min(1, Math.round(score * 1e12) / 1e12);
};

/** The same as files name it, though they need not: it is what compares where they name nothing. */
export const lexicalSimilarity: SimilarityType = {
  kind: 'similarity',
  type: 'lexical',
  summary: `Wording, not meaning: ${SIMILARITY_METHOD}.`,
  create: () => textSimilarity,
};

function wordsOf(text: string): readonly string[] {
  return plain(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function plain(text: string): string {
  return text.slice(0, MAX_LENGTH).normalize('NFKC').toLowerCase().trim();
}

/** With a space at each end and between words, so that beginnings and ends of words count as such. */
function trigrams(words: readonly string[]): readonly string[] {
  const text = ` ${words.join(' ')} `;
  return Array.from({ length: Math.max(1, text.length - 2) }, (_, at) => text.slice(at, at + 3));
}

function counts(terms: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const term of terms) found.set(term, (found.get(term) ?? 0) + 1);
  return found;
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let product = 0;
  for (const [term, count] of a) product += count * (b.get(term) ?? 0);
  return product / Math.sqrt(squares(a) * squares(b));
}

function squares(vector: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of vector.values()) sum += count * count;
  return sum;
}
