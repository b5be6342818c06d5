import type { FaultType } from '../plugin/fault-type.ts';
import { errorReply } from './error-reply.ts';

/** The backend refuses the connection. Billing: nothing; the request counts neither as a call nor in tokens. */
export const backendDown: FaultType = {
  kind: 'fault',
  type: 'backend_down',
  summary: 'The model backend refuses the connection; nothing is billed.',
  create: () => ({
    delayUs: 0,
    ignoresRequest: true,
    apply: () => errorReply('intelligence', 'connection refused (fault backend_down)'),
  }),
};
