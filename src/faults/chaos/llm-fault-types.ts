import type { LlmFault } from '../../types/chaos.ts';
import type { LlmFaultType } from './chaos-type.ts';
import { driftAnswer } from './drift-answer.ts';
import { wordsOf } from './json-document.ts';

/** No language and no JSON, with control characters in it. */
const GARBAGE = '\u0000\u0007#@%& qzx}{ 0x7fe9 ]]> ¤¤¤ \\ud8 ,,;;';

/** Every way in which a model goes wrong. */
export const llmFaultTypes: Readonly<Record<LlmFault['mode'], LlmFaultType>> = {
  timeout: {
    kind: 'llm_fault',
    type: 'timeout',
    summary: 'Nothing comes.',
    detail: ({ delayMs }) => `after ${delayMs} ms`,
  },
  truncated_response: {
    kind: 'llm_fault',
    type: 'truncated_response',
    summary: 'The answer breaks off after so many words.',
    change: (content, { maxTokens }) => {
      const words = wordsOf(content);
      return words.length > maxTokens ? words.slice(0, maxTokens).join(' ') : content;
    },
    detail: ({ maxTokens }) => `${maxTokens} ${maxTokens === 1 ? 'word' : 'words'}`,
  },
  rate_limit: {
    kind: 'llm_fault',
    type: 'rate_limit',
    summary: 'The provider refuses.',
    detail: () => '',
  },
  empty: {
    kind: 'llm_fault',
    type: 'empty',
    summary: 'The answer is empty.',
    change: () => '',
    detail: () => '',
  },
  garbage: {
    kind: 'llm_fault',
    type: 'garbage',
    summary: 'The answer is no language.',
    change: () => GARBAGE,
    detail: () => '',
  },
  response_drift: {
    kind: 'llm_fault',
    type: 'response_drift',
    summary: 'The answer is one that a newer model might give.',
    change: driftAnswer,
    detail: ({ driftType, direction, factor, severity }) =>
      driftType === 'verbosity_shift' ? `${direction} by ${factor}` : severity,
  },
};
