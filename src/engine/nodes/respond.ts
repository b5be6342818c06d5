import { Buffer } from 'node:buffer';
import type { NodeType } from '../../plugin/node-type.ts';
import { errorMove } from '../error-move.ts';
import { compileTemplate, tooLong } from '../template.ts';
import type { RespondKeys } from '../../types/definitions/node-keys.ts';

/** Shapes the reply to the trigger; the last one of a completed run counts. */
export const respond: NodeType<RespondKeys> = {
  kind: 'node',
  type: 'respond',
  summary: 'Shapes the reply to the trigger from a template.',
  capability: 'respond',
  needs: () => [],
  labels: () => [],
  responds: true,
  outputKeys: ['status', 'content_type', 'bytes'],
  create: ({ bodyTemplate, status = 200, contentType = 'application/json', inputFrom }) => {
    const render = compileTemplate(bodyTemplate, 'value');
    return {
      reads: [inputFrom === undefined ? { from: 'payload' } : { from: 'path', path: inputFrom }],
      begin: ([found]) => {
        const data = inputFrom === undefined ? (found ?? null) : found;
        if (data === undefined)
          return errorMove('tool', `input_from path \`${inputFrom}\` is not set in the execution context`);
        if (status < 100 || status > 599) return errorMove('tool', `status ${status} is outside 100..599`);
        const body = render(data);
        if (body === null) return errorMove('tool', tooLong('body_template'));
        return {
          kind: 'done',
          output: { status, content_type: contentType, bytes: Buffer.byteLength(body) },
          response: { status, contentType, body },
        };
      },
    };
  },
};
