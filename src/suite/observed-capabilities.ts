import type { Tally } from '../trial/tally.ts';
import { CAPABILITIES } from '../types/capability.ts';

/** What passing trials were seen to do; `isReliable`: the scenario held its bar although answers varied. */
export function observedCapabilities(
  { observedLow, observedHigh }: Pick<Tally, 'observedLow' | 'observedHigh'>,
  isReliable: boolean,
): readonly string[] {
  return CAPABILITIES.flatMap(([id], i) => {
    if (id === 'reliability_passk') return isReliable ? [id] : [];
    const bits = i < 32 ? observedLow : observedHigh;
    return (bits >>> (i % 32)) & 1 ? [id] : [];
  });
}
