import type { Answer } from '../../plugin/request.ts';
import type { McpRequest } from '../../plugin/mcp-request.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Json } from '../../types/json.ts';
import { parseJson, unmarkIntegers } from '../../values/exact-json.ts';
import { isJsonArray, isJsonObject, isRecord } from '../../values/is-json.ts';
import { errorAnswer, valueAnswer } from '../answers.ts';
import { DEFAULT_LIMITS } from '../world-limits.ts';

const MOST_BYTES = DEFAULT_LIMITS.valueBytes;
const DEEPEST = 100;

/** What a server's result is to the subject: the same value that `[[world.mcp]]` gives, or why it cannot be one. */
export function mcpAnswer(
  request: McpRequest,
  server: string,
  result: unknown,
  scrub: (text: string) => string,
): Answer {
  const parts = request.op === 'tool' ? toolParts(result) : resourceParts(result);
  if (parts === null) {
    const expected = request.op === 'tool' ? 'a list `content`' : 'a list `contents` of texts and blobs';
    return mcpError(server, `answered ${described(request)} without ${expected}`);
  }
  if (request.op === 'tool' && !hasPlainVerdict(result)) {
    return mcpError(server, `answered ${described(request)} with an \`isError\` that is neither true nor false`);
  }
  const target = request.op === 'tool' ? { tool: request.target, server } : { uri: request.target, server };
  const text = isTooDeep(parts) ? null : unmarkIntegers(JSON.stringify({ ...target, ...parts }));
  if (text === null)
    return mcpError(server, `answered ${described(request)} with more than ${DEEPEST} levels of nesting`);
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_BYTES) {
    return mcpError(server, `answered ${described(request)} with ${bytes} bytes; at most ${MOST_BYTES} are accepted`);
  }
  // Parsed again: nothing of the protocol's objects is shared, and what JSON cannot say has gone.
  return valueAnswer(scrubbed(parseJson(text), scrub), 'effect');
}

function scrubbed(value: Json, scrub: (text: string) => string): Json {
  if (typeof value === 'string') return scrub(value);
  if (isJsonArray(value)) return value.map((item) => scrubbed(item, scrub));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scrubbed(inner, scrub)]));
}

/** What went wrong outside, in the category that retries know as transient. */
export function mcpError(server: string, what: string): Answer {
  return errorAnswer(`server \`${visibleText(server)}\` ${visibleText(what)}`, 'effect', 'mcp');
}

function described(request: McpRequest): string {
  return `${request.op === 'tool' ? 'tool' : 'resource'} \`${visibleText(request.target)}\``;
}

function toolParts(result: unknown): object | null {
  if (!isRecord(result)) return null;
  const { content = [], isError, structuredContent: structured = null } = result;
  return Array.isArray(content) ? { content, is_error: isError === true, structured } : null;
}

/** True: whether the tool failed can be told. */
function hasPlainVerdict(result: unknown): boolean {
  return isRecord(result) && ['boolean', 'undefined'].includes(typeof (result['isError'] ?? undefined));
}

function resourceParts(result: unknown): object | null {
  if (!isRecord(result)) return null;
  const { contents } = result;
  const isList = Array.isArray(contents) && contents.every(isContent);
  return isList ? { contents } : null;
}

function isContent(value: unknown): boolean {
  return isRecord(value) && (typeof value['text'] === 'string' || typeof value['blob'] === 'string');
}

/** True: the value is nested deeper than what a subject may get. */
export function isTooDeep(root: object): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}
