import type { LlmFault } from '../../types/chaos.ts';
import type { Struck } from './chaos-state.ts';
import { driftAnswer } from './drift-answer.ts';
import { wordsOf } from './json-document.ts';

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
    const next = changeOnce(now, struck.fault);
    if (next !== now) changed.push(struck);
    now = next;
  }
  return { content: now, changed };
}

/** No language and no JSON, with control characters in it. */
const GARBAGE = '\u0000\u0007#@%& qzx}{ 0x7fe9 ]]> ¤¤¤ \\ud8 ,,;;';

function changeOnce(content: string, fault: LlmFault): string {
  switch (fault.mode) {
    case 'truncated_response': {
      const words = wordsOf(content);
      return words.length > fault.maxTokens ? words.slice(0, fault.maxTokens).join(' ') : content;
    }
    case 'empty':
      return '';
    case 'garbage':
      return GARBAGE;
    case 'response_drift':
      return driftAnswer(content, fault);
    case 'timeout':
    case 'rate_limit':
      return content;
  }
}
