import type { FaultType } from '../plugin/fault-type.ts';
import { withAnswerText } from './with-answer-text.ts';

/** The answer is no JSON, whatever it was before. Billing: in full, as declared. */
export const malformed: FaultType = {
  kind: 'fault',
  type: 'malformed',
  summary: 'The answer is broken JSON, whatever it was before; billed in full.',
  create: () => ({
    delayUs: 0,
    ignoresRequest: true,
    // An unquoted key: no continuation makes JSON of it, neither as a whole nor as an object found inside prose.
    apply: (_request, reply) => withAnswerText(reply, (content) => `{malformed: ${content}`),
  }),
};
