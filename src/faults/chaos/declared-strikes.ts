import { FAULT_KINDS, KIND_BITS } from '../../types/chaos.ts';
import type { Strike } from '../../types/record.ts';
import type { CompiledChaos } from './compile-chaos.ts';

/** Each declared fault that fired in a trial, or counts as if it had; `fired`: how often each did, by position. */
export function declaredStrikes(
  { labels, kinds, alwaysStruck }: Pick<CompiledChaos, 'labels' | 'kinds' | 'alwaysStruck'>,
  fired: ArrayLike<number>,
): readonly Strike[] {
  return labels.flatMap((fault, at): readonly Strike[] => {
    const [times = 0, bit = 0] = [fired[at], kinds[at]];
    const kind = FAULT_KINDS.find((one) => KIND_BITS[one] === bit);
    return kind === undefined || (times === 0 && (alwaysStruck & bit) === 0) ? [] : [{ fault, kind, fired: times }];
  });
}
