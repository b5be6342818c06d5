import { Buffer } from 'node:buffer';
import { httpErrorText, mcpErrorText } from '../../effects/outside-errors.ts';
import { processOutput } from '../../effects/process-output.ts';
import { MALFORMED_BODY, toolFaultReply } from '../../faults/chaos/tool-fault-types.ts';
import { rateLimited } from '../../faults/rate-limited.ts';
import { timeout } from '../../faults/timeout.ts';
import type { ProcessRequest, Reply } from '../../plugin/request.ts';
import type { McpRequest } from '../../plugin/mcp-request.ts';
import { canonicalUrl } from '../../policy/canonical-url.ts';
import type { LlmFault, ToolFault } from '../../types/chaos.ts';
import type { Json } from '../../types/json.ts';
import type { ToolRequest } from './tool-call.ts';

/** A reply that comes instead of the real one, and how long it takes. */
export interface FaultReply {
  readonly reply: Reply;
  readonly delayMs: number;
}

/** What a tool fault comes to at the port that is asked. */
export function toolFaultAnswer(fault: ToolFault, request: ToolRequest): FaultReply {
  switch (request.port) {
    case 'http':
      return httpFault(fault, request.url);
    case 'process':
      return processFault(fault, request);
    case 'mcp':
      return mcpFault(fault, request);
    case 'host':
      return hostFault(fault);
  }
}

/** What a timeout or a rate limit comes to: the errors that turns with such a fault give. */
export function modelFaultAnswer({ mode, delayMs }: LlmFault): FaultReply {
  const fault = mode === 'timeout' ? timeout.create({ delayMs }) : rateLimited.create({});
  return { reply: fault.apply(BLANK, UNUSED), delayMs: fault.delayUs / 1000 };
}

/** A program that is slower than its request allows is killed at its limit. */
export function killedAnswer(request: ProcessRequest): FaultReply {
  return processFault({ mode: 'timeout', delayMs: request.timeoutMs, errorCode: 0, message: '', payload: '' }, request);
}

type Effect = Pick<ToolFault, 'mode' | 'delayMs' | 'errorCode' | 'message' | 'payload'>;

function httpFault(fault: ToolFault, url: string): FaultReply {
  const reply = toolFaultReply(fault);
  if (reply === null) {
    const canonical = canonicalUrl(url);
    const origin = 'problem' in canonical ? url : canonical.origin;
    return { reply: errorOf(httpErrorText('timeout', origin)), delayMs: fault.delayMs };
  }
  const { status, body } = reply;
  return valueReply({ status, headers: {}, body, bytes: Buffer.byteLength(body) });
}

const KILLED = 9;

function processFault({ mode, delayMs, errorCode, message, payload }: Effect, request: ProcessRequest): FaultReply {
  const timedOut = mode === 'timeout';
  const durationMs = timedOut ? Math.min(delayMs, request.timeoutMs) : 0;
  const output = processOutput(request, {
    // Programs have no HTTP status: a number that no exit code can be becomes 1.
    exitCode: mode === 'error' ? (errorCode >= 1 && errorCode <= 255 ? errorCode : 1) : 0,
    signal: timedOut ? KILLED : null,
    stdout: mode === 'malformed' ? MALFORMED_BODY : mode === 'malicious_response' ? payload : '',
    stderr: mode === 'error' ? message : '',
    timedOut,
    durationMs,
  });
  return { ...valueReply(output), delayMs: durationMs };
}

function mcpFault(fault: ToolFault, { op, server, target }: McpRequest): FaultReply {
  const name = server ?? target;
  const reply = toolFaultReply(fault);
  if (reply === null) return { reply: errorOf(mcpErrorText('timeout', name), 'mcp'), delayMs: fault.delayMs };
  const { status, body } = reply;
  const isError = fault.mode === 'error';
  if (op === 'tool') {
    const content = [{ type: 'text', text: body }];
    return valueReply({ tool: target, server, content, is_error: isError, structured: null });
  }
  if (isError) return { reply: errorOf(mcpErrorText({ code: status, message: body }, name), 'mcp'), delayMs: 0 };
  return valueReply({ uri: target, server, contents: [{ uri: target, text: body }] });
}

/** Functions have neither status nor body: they fail with a message, or give a text. */
function hostFault(fault: ToolFault): FaultReply {
  const reply = toolFaultReply(fault);
  if (reply === null) return { reply: errorOf('the function gave no answer in time'), delayMs: fault.delayMs };
  const { status, body } = reply;
  return fault.mode === 'error' ? { reply: errorOf(`${status} ${body}`), delayMs: 0 } : valueReply(body);
}

function valueReply(value: Json): FaultReply {
  return { reply: { kind: 'value', value }, delayMs: 0 };
}

function errorOf(message: string, category: 'tool' | 'mcp' = 'tool'): Reply {
  return { kind: 'error', category, message, denied: false };
}

const BLANK = { port: 'model', backend: 'default', messages: [], maxTokens: null, repair: false } as const;
const UNUSED = { kind: 'model', parts: [], finish: null, usage: null } as const;
