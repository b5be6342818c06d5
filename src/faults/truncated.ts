import type { FaultType } from '../plugin/fault-type.ts';
import type { JsonObject } from '../types/json.ts';
import { withAnswerText } from './with-answer-text.ts';

/** Settings of `truncated`; `chars` wins over `fraction`. */
export interface TruncatedConfig extends JsonObject {
  /** Characters that are left. */
  readonly chars?: number;
  /** Share of the characters that is left, rounded down; default 0.5. */
  readonly fraction?: number;
}

/** The answer breaks off. Billing: in full, as declared: what was generated is paid for, seen or not. */
export const truncated: FaultType<TruncatedConfig> = {
  kind: 'fault',
  type: 'truncated',
  summary: 'The answer breaks off after some characters; billed in full.',
  create: ({ chars, fraction = 0.5 }) => ({
    delayUs: 0,
    ignoresRequest: true,
    apply: (_request, reply) =>
      withAnswerText(reply, (content) => {
        // By code points, so that no half of a character is left over.
        const points = [...content];
        return points.slice(0, chars ?? Math.floor(points.length * fraction)).join('');
      }),
  }),
};
