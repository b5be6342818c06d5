import type { FaultType } from '../plugin/fault-type.ts';
import type { JsonObject } from '../types/json.ts';

/** Settings of `delay`. */
export interface DelayConfig extends JsonObject {
  /** Virtual time the answer takes; default 1,000. */
  readonly delayMs?: number;
}

/** The answer comes late. Billing: in full, as declared. */
export const delay: FaultType<DelayConfig> = {
  kind: 'fault',
  type: 'delay',
  summary: 'The answer comes late, in virtual time; billed in full.',
  create: ({ delayMs = 1000 }) => ({
    delayUs: delayMs * 1000,
    ignoresRequest: true,
    apply: (_request, reply) => reply,
  }),
};
