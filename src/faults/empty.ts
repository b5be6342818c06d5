import type { FaultType } from '../plugin/fault-type.ts';
import { withAnswerText } from './with-answer-text.ts';

/** The answer is empty. Billing: in full, as declared. */
export const empty: FaultType = {
  kind: 'fault',
  type: 'empty',
  summary: 'The answer has no content; billed in full.',
  create: () => ({
    delayUs: 0,
    ignoresRequest: true,
    apply: (_request, reply) => withAnswerText(reply, () => ''),
  }),
};
