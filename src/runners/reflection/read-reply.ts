import { LineReader } from '../../effects/granted/line-reader.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Json } from '../../types/json.ts';
import type { ModelAnswer } from '../../types/model-test.ts';
import { readWhole } from '../../values/read-whole.ts';
import type { Asking } from '../asking.ts';
import { type ResponseHead, wireAnswer } from './wire-answer.ts';
import { jsonIn } from '../../values/json-in.ts';

/** Bytes of a whole reply. */
export const LONGEST_REPLY: number = 64 << 20;
/** Characters of what cannot be read that are shown. */
const SHOWN = 200;

/** Reads a reply that is one document; null: it is too long. Rejects as the body does. */
export async function readDocument(
  asking: Asking,
  body: AsyncIterable<Buffer>,
  carrier: ResponseHead,
): Promise<ModelAnswer | null> {
  const whole = await readWhole(body, LONGEST_REPLY);
  if (whole === null) return null;
  const text = whole.toString('utf8');
  const document = jsonIn(text);
  if (document === undefined) return noJson(asking, text);
  return wireAnswer(asking, document, carrier) ?? asking.answer(document as Json);
}

/** Reads a reply in lines: pieces, each with the time it came at, then the end. */
export async function readStream(
  asking: Asking,
  body: AsyncIterable<Buffer>,
  carrier: ResponseHead,
): Promise<ModelAnswer | null> {
  // The line that came last is the end, or one more piece where the reply broke off.
  let held: { readonly document: unknown; readonly atMs: number } | null = null;
  let unreadable: string | null = null;
  const release = (): void => {
    if (held !== null) asking.chunk(held.document as Json, held.atMs);
    held = null;
  };
  const lines = new LineReader(LONGEST_REPLY, (line) => {
    if (line.trim() === '' || unreadable !== null) return;
    release();
    const document = jsonIn(line);
    if (document === undefined) unreadable = line;
    else held = { document, atMs: asking.now() };
  });
  const end = (): ModelAnswer | null => {
    const said = held === null ? null : wireAnswer(asking, held.document, carrier);
    if (said === null) release();
    return said;
  };
  let bytes = 0;
  try {
    for await (const part of body) {
      bytes += part.length;
      if (bytes > LONGEST_REPLY) return null;
      lines.add(part);
    }
  } catch (error) {
    end();
    throw error;
  }
  // The last line has no end of its own.
  lines.add(Buffer.from('\n'));
  const said = end();
  if (unreadable !== null) return noJson(asking, unreadable);
  return said ?? asking.refused({ message: 'The stream ended without an answer.', code: null });
}

function noJson(asking: Asking, text: string): ModelAnswer {
  const shown = visibleText(text.slice(0, SHOWN));
  return asking.refused({ message: `The reply is no JSON: ${shown === '' ? 'it is empty' : shown}`, code: null });
}
