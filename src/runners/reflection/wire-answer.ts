import type { Json } from '../../types/json.ts';
import { errorTextAt, fieldAt, textAt } from '../../values/json-fields.ts';
import type { Asking } from '../asking.ts';
import type { ModelAnswer } from '../../types/model-test.ts';
import { jsonIn } from '../../values/json-in.ts';

/** What a response carried besides its document. */
export interface ResponseHead {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * What a document that ends a call says, in the words of any runtime: `{ result }`, `{ error }` with an object or a text, the
 * bare error of older Go runtimes, or a response without anything around it. Null: it says neither.
 */
export function wireAnswer(asking: Asking, document: unknown, { status, headers }: ResponseHead): ModelAnswer | null {
  const result = fieldAt(document, 'result');
  const error = fieldAt(document, 'error');
  if (error !== undefined && error !== null) {
    const message = errorTextAt({ error }) ?? JSON.stringify(error);
    return asking.refused({ message, code: codeOf(error), status, headers, details: fieldAt(error, 'details') });
  }
  if (result !== undefined) return asking.answer(result as Json);
  const code = fieldAt(document, 'code');
  const message = textAt(document, 'message');
  if ((typeof code === 'number' || typeof code === 'string') && message !== null) {
    return asking.refused({ message, code, status, headers, details: fieldAt(document, 'details') });
  }
  const isResponse = ['message', 'candidates', 'operation'].some((key) => {
    const value = fieldAt(document, key);
    return typeof value === 'object' && value !== null;
  });
  return isResponse ? asking.answer(document as Json) : null;
}

/** What a response that is no success says, be it JSON or not. */
export function wireRefusal(
  asking: Asking,
  text: string,
  carrier: ResponseHead & { readonly status: number },
): ModelAnswer {
  const document = jsonIn(text);
  const said = document === undefined ? null : wireAnswer(asking, document, carrier);
  if (said?.kind === 'problem') return said;
  const shown = errorTextAt(document) ?? text.trim();
  const { status, headers } = carrier;
  const message = shown === '' ? `HTTP ${status}` : `HTTP ${status}: ${shown}`;
  return asking.refused({ message, code: status, headers });
}

function codeOf(error: unknown): string | number | null {
  const code = fieldAt(error, 'code') ?? fieldAt(error, 'status');
  return typeof code === 'string' || typeof code === 'number' ? code : null;
}
