import { isUtf8 } from 'node:buffer';
import { ImportError } from '../plugin/importer-type.ts';
import type { JsonObject } from '../types/json.ts';
import { isJsonObject } from '../values/is-json.ts';

/** Most bytes of a run: V8 cannot hold a text of more than twice as many. */
export const MOST_RUN = 256 * 1024 * 1024;

/** The JSON object in a piece. Throws an `ImportError` where there is none. */
export function readObject(piece: Uint8Array | undefined): JsonObject {
  return parseObject(utf8Text(piece ?? new Uint8Array(0)));
}

/** The same of a text. */
export function parseObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/ in JSON at position.*$| \(line \d+.*\)$/s, '') : '';
    throw new ImportError(`It is not JSON: ${why}.`);
  }
  if (!isJsonObject(value as JsonObject)) throw new ImportError('It is no object.');
  return value as JsonObject;
}

/** The text of these bytes. Throws an `ImportError` where they are not UTF-8, or too many. */
export function utf8Text(bytes: Uint8Array): string {
  if (bytes.length > MOST_RUN) throw new ImportError('It is longer than 256 MiB.');
  if (!isUtf8(bytes)) throw new ImportError('It is not UTF-8. Save it as UTF-8.');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
