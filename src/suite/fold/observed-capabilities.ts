import type { Tally } from '../../trial/tally/tally.ts';
import { CAPABILITIES } from '../../types/capability.ts';

/** What passing trials were seen to do; `isReliable`: the scenario held its bar although answers varied. */
export function observedCapabilities(
  { observedLow, observedHigh }: Pick<Tally, 'observedLow' | 'observedHigh'>,
  isReliable: boolean,
): readonly string[] {
  const observed: string[] = [];
  for (let i = 0; i < CAPABILITIES.length; i++) {
    const id = CAPABILITIES[i] as (typeof CAPABILITIES)[number];
    const bits = i < 32 ? observedLow : observedHigh;
    const isSeen = id === 'reliability_passk' ? isReliable : ((bits >>> (i % 32)) & 1) === 1;
    if (isSeen) observed.push(id);
  }
  return observed;
}
