import { Buffer } from 'node:buffer';
import type { DoneMove } from '../plugin/node-type.ts';
import type { Json } from '../types/json.ts';
import { byCodePoint } from '../values/json-text.ts';
import { isJsonObject } from '../values/is-json.ts';
import { plainText } from './plain-text.ts';

/** Bytes of the largest request body. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The text a value is sent as, or why it cannot be sent. */
export function bodyOf(value: Json): string | { readonly problem: string } {
  const body = plainText(value);
  const bytes = Buffer.byteLength(body);
  return bytes > MAX_BODY_BYTES ? { problem: `request body ${bytes} bytes exceeds cap` } : body;
}

/** Declared headers in name order, or the first thing wrong with them. */
export function readHeaders(declared: Readonly<Record<string, string>>): Headers {
  const entries = Object.entries(declared).sort(([a], [b]) => byCodePoint(a, b));
  for (const [name, value] of entries) {
    const problem = headerProblem(name, value);
    if (problem !== null) return { ok: false, problem };
  }
  return { ok: true, headers: Object.fromEntries(entries) };
}

/** Finishes with a response; any status but 2xx takes the branch `error`. */
export function httpDone(response: Json): DoneMove {
  const status = isJsonObject(response) ? response['status'] : null;
  const ok = typeof status === 'number' && status >= 200 && status <= 299;
  return ok ? { kind: 'done', output: response } : { kind: 'done', output: response, branch: 'error' };
}

export type Headers =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly problem: string };

function headerProblem(name: string, value: string): string | null {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return `header name \`${name}\` may hold only letters, digits, \`-\` and \`_\``;
  if (/[\r\n]/.test(value)) return `header \`${name}\` contains a line break`;
  for (let open = value.indexOf('{{'); open >= 0; open = value.indexOf('{{', open)) {
    const close = value.indexOf('}}', open + 2);
    if (close < 0) return `header \`${name}\` has an unclosed \`{{\``;
    const inside = value.slice(open + 2, close).trim();
    if (!inside.startsWith('secret:') || inside === 'secret:') {
      return `header \`${name}\` has the placeholder \`{{${inside}}}\`; only \`{{secret:NAME}}\` is allowed`;
    }
    open = close + 2;
  }
  return null;
}
