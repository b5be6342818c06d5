import type { FaultType } from '../plugin/fault-type.ts';
import type { JsonObject } from '../types/json.ts';
import { durationText } from './duration-text.ts';
import { errorReply } from './error-reply.ts';

/** Settings of `timeout`. */
export interface TimeoutConfig extends JsonObject {
  /** Virtual time until the request is given up; default 30,000. */
  readonly delayMs?: number;
}

/** No answer comes in time. Billing: nothing is counted, though a real backend may bill what it had begun. */
export const timeout: FaultType<TimeoutConfig> = {
  kind: 'fault',
  type: 'timeout',
  summary: 'No answer comes until the request is given up; nothing is billed.',
  create: ({ delayMs = 30_000 }) => ({
    delayUs: delayMs * 1000,
    ignoresRequest: true,
    apply: () => errorReply('timeout', `${durationText(delayMs)} without an answer (fault timeout)`),
  }),
};
