import type { ToolFault } from '../../types/chaos.ts';

/** JSON that no reader accepts: it breaks off, and its first key has no quotes. */
export const MALFORMED_BODY = '{status: "ok", "data": [{"id": 1, "value":';

/** What a tool says instead of its answer. */
export interface ToolFaultReply {
  /** HTTP status. */
  readonly status: number;
  readonly body: string;
}

/** What comes instead of the answer of a tool; null: nothing comes, or the answer is not touched (`timeout`, `slow`). */
export function toolFaultReply({ mode, errorCode, message, payload }: ToolFault): ToolFaultReply | null {
  switch (mode) {
    case 'error':
      return { status: errorCode, body: message };
    case 'malformed':
      return { status: 200, body: MALFORMED_BODY };
    case 'malicious_response':
      return { status: 200, body: payload };
    case 'timeout':
    case 'slow':
      return null;
  }
}
