import type { ErrorReply } from '../plugin/request.ts';

/** A request that fails instead of being answered: it is neither counted as a call nor billed. */
export function errorReply(category: 'intelligence' | 'timeout', message: string): ErrorReply {
  return { kind: 'error', category, message, denied: false };
}
