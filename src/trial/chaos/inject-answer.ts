import { Buffer } from 'node:buffer';
import type { ResultKind } from '../../faults/chaos/chaos-state.ts';
import { injectText, injectValue } from '../../faults/chaos/context-attacks.ts';
import type { Request } from '../../plugin/request.ts';
import type { Json, JsonObject } from '../../types/json.ts';

/**
 * What the subject takes in with the answer to a request. Documents are files, MCP resources and what an HTTP GET gives;
 * the last is a tool's result as well.
 */
export function resultKinds(request: Request): readonly ResultKind[] {
  switch (request.port) {
    case 'http':
      return request.method === 'GET' ? BOTH : TOOL;
    case 'process':
      return TOOL;
    case 'mcp':
      return request.op === 'tool' ? TOOL : DOCUMENT;
    case 'file':
      return request.op === 'read' ? DOCUMENT : NONE;
    case 'host':
      return TOOL;
    default:
      return NONE;
  }
}

const NONE: readonly ResultKind[] = [];
const TOOL: readonly ResultKind[] = ['tool'];
const DOCUMENT: readonly ResultKind[] = ['document'];
const BOTH: readonly ResultKind[] = ['tool', 'document'];

/** The value a port gave, with a payload where the subject reads: a body, an output, a content. */
export function injectInto(request: Request, value: Json, payload: string): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return injectValue(value, payload);
  const fields = value as JsonObject;
  switch (request.port) {
    case 'http':
      return sized(fields, 'body', payload);
    case 'file':
      return sized(fields, 'content', payload);
    case 'process':
      return { ...fields, stdout: injectText(textOf(fields['stdout']), payload) };
    case 'mcp':
      return request.op === 'tool'
        ? {
            ...fields,
            content: injectParts(fields['content'], payload, { type: 'text' }),
            structured: injectValue(fields['structured'] ?? null, payload),
          }
        : { ...fields, contents: injectParts(fields['contents'], payload, { uri: request.target }) };
    default:
      return injectValue(value, payload);
  }
}

function sized(fields: JsonObject, key: string, payload: string): JsonObject {
  const text = injectText(textOf(fields[key]), payload);
  return { ...fields, [key]: text, bytes: Buffer.byteLength(text) };
}

/** Into the last text of a list, else as one more. */
function injectParts(parts: Json | undefined, payload: string, more: JsonObject): Json {
  if (!Array.isArray(parts)) return injectValue(parts ?? null, payload);
  const list = parts as readonly Json[];
  const at = list.findLastIndex((part) => typeof textIn(part) === 'string');
  const found = textIn(list[at]);
  if (found === undefined) return [...list, { ...more, text: payload }];
  return list.with(at, { ...(list[at] as JsonObject), text: injectText(found, payload) });
}

function textIn(part: Json | undefined): string | undefined {
  if (part === undefined || part === null || typeof part !== 'object' || Array.isArray(part)) return undefined;
  const { text } = part as JsonObject;
  return typeof text === 'string' ? text : undefined;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
