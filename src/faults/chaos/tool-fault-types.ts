import type { ToolFault } from '../../types/chaos.ts';
import type { ToolFaultReply, ToolFaultType } from './chaos-type.ts';
import { shortPayload } from './short-payload.ts';

/** JSON that no reader accepts: it breaks off, and its first key has no quotes. */
export const MALFORMED_BODY = '{status: "ok", "data": [{"id": 1, "value":';

/** Every way in which a tool goes wrong. */
export const toolFaultTypes: Readonly<Record<ToolFault['mode'], ToolFaultType>> = {
  timeout: {
    kind: 'tool_fault',
    type: 'timeout',
    summary: 'Nothing comes.',
    delayMs: 30_000,
    detail: ({ delayMs }) => `after ${delayMs} ms`,
  },
  error: {
    kind: 'tool_fault',
    type: 'error',
    summary: 'It answers with an error.',
    reply: ({ errorCode, message }) => ({ status: errorCode, body: message }),
    detail: ({ errorCode, message }) => `${errorCode} ${shortPayload(message)}`,
  },
  malformed: {
    kind: 'tool_fault',
    type: 'malformed',
    summary: 'It answers with JSON that breaks off.',
    isBody: true,
    reply: () => ({ status: 200, body: MALFORMED_BODY }),
    detail: () => '',
  },
  slow: {
    kind: 'tool_fault',
    type: 'slow',
    summary: 'It answers later.',
    delayMs: 5000,
    isDelay: true,
    detail: ({ delayMs }) => `${delayMs} ms late`,
  },
  malicious_response: {
    kind: 'tool_fault',
    type: 'malicious_response',
    summary: 'It answers with a payload.',
    isBody: true,
    reply: ({ payload }) => ({ status: 200, body: payload }),
    detail: ({ payload }) => `"${shortPayload(payload)}"`,
  },
};

/** What comes instead of the answer of a tool; null: nothing comes, or the answer is not touched. */
export function toolFaultReply(fault: ToolFault): ToolFaultReply | null {
  return toolFaultTypes[fault.mode].reply?.(fault) ?? null;
}
