import { PasskError } from '../../errors.ts';
import type { Similarity, SimilarityType } from '../../plugin/similarity-type.ts';
import { BoundedMemo } from '../../policy/bounded-memo.ts';
import { failedText } from '../../values/thrown-at.ts';

/**
 * What a plug-in compares with. Throws a `PLUGIN` error that names it when it fails or gives no number from 0 to 1: such a
 * trial says nothing about the subject. It may be slow, so short texts are compared once.
 */
export function checkedSimilarity(plugin: SimilarityType): Similarity {
  const { type } = plugin;
  const values = new BoundedMemo<number>();
  let measure: Similarity | null = null;
  const found = (left: string, right: string): unknown => {
    try {
      measure ??= plugin.create();
      return measure(left, right);
    } catch (cause) {
      throw new PasskError('PLUGIN', `Similarity "${type}" ${failedText(cause, new Error('here'))}`, { cause });
    }
  };
  return (left, right) => {
    const key = JSON.stringify([left, right]);
    const before = values.get(key);
    if (before !== undefined) return before;
    const value = found(left, right);
    if (typeof value === 'number' && value >= 0 && value <= 1) return values.set(key, value);
    throw new PasskError('PLUGIN', `Similarity "${type}" gave ${shown(value)}: it gives at once a number from 0 to 1.`);
  };
}

function shown(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  return typeof value === 'number' ? String(value) : `a value of type ${typeof value}`;
}
