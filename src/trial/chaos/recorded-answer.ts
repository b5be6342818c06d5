import { Buffer } from 'node:buffer';
import { processOutput } from '../../effects/process-output.ts';
import { faultLike, isFailure, recordedReply } from '../../faults/chaos/recorded-responses.ts';
import type { RecordedResponse } from '../../types/chaos.ts';
import type { Json } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { type FaultReply, toolFaultAnswer } from './fault-answer.ts';
import type { ToolRequest } from './tool-call.ts';

/** What a recorded answer comes to at the port that is asked; its delay is not in it. */
export function recordedAnswer(recorded: RecordedResponse, request: ToolRequest): FaultReply {
  if (isFailure(recorded)) return toolFaultAnswer(faultLike(recorded), request);
  const { response, status } = recorded;
  const body = recordedReply(recorded)?.body ?? '';
  switch (request.port) {
    case 'http': {
      const headers = typeof response === 'string' ? {} : { 'content-type': 'application/json' };
      return valueReply({ status, headers, body, bytes: Buffer.byteLength(body) });
    }
    case 'process':
      return valueReply(
        processOutput(request, { exitCode: 0, signal: null, stdout: body, stderr: '', timedOut: false, durationMs: 0 }),
      );
    case 'mcp': {
      const { op, target, server } = request;
      if (op !== 'tool') return valueReply({ uri: target, server, contents: [{ uri: target, text: body }] });
      const structured = isJsonObject(response) ? response : null;
      return valueReply({ tool: target, server, content: [{ type: 'text', text: body }], is_error: false, structured });
    }
    case 'host':
      return valueReply(response);
  }
}

function valueReply(value: Json): FaultReply {
  return { reply: { kind: 'value', value }, delayMs: 0 };
}
