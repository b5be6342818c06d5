import type { LlmFault } from '../../types/chaos.ts';
import type { Struck } from './chaos-state.ts';
import { llmFaultTypes } from './llm-fault-types.ts';

/** What became of an answer, and which faults had a part in it. */
export interface ChangedAnswer {
  readonly content: string;
  /** Of those that changed something, in order; []: the answer is as it was. */
  readonly changed: readonly Struck<LlmFault>[];
}

/** Changes a model's answer, one fault after the other. Faults that come instead of an answer change nothing. */
export function changeAnswer(content: string, faults: readonly Struck<LlmFault>[]): ChangedAnswer {
  const changed: Struck<LlmFault>[] = [];
  let now = content;
  for (const struck of faults) {
    const next = llmFaultTypes[struck.fault.mode].change?.(now, struck.fault) ?? now;
    if (next !== now) changed.push(struck);
    now = next;
  }
  return { content: now, changed };
}
