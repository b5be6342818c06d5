import type { FaultType } from '../plugin/fault-type.ts';
import type { JsonObject } from '../types/json.ts';
import { durationText } from './duration-text.ts';
import { errorReply } from './error-reply.ts';

/** Settings of `rate_limited`. */
export interface RateLimitedConfig extends JsonObject {
  /** What the backend says to wait; default 1,000. The caller decides whether it does. */
  readonly retryAfterMs?: number;
}

/** The backend answers 429. Billing: nothing; the request counts neither as a call nor in tokens. */
export const rateLimited: FaultType<RateLimitedConfig> = {
  kind: 'fault',
  type: 'rate_limited',
  summary: 'The model backend answers 429 and says when to come back; nothing is billed.',
  create: ({ retryAfterMs = 1000 }) => ({
    delayUs: 0,
    ignoresRequest: true,
    apply: () =>
      errorReply(
        'intelligence',
        `429 Too Many Requests, retry after ${durationText(retryAfterMs)} (fault rate_limited)`,
      ),
  }),
};
