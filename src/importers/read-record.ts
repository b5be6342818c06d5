import { ImportError } from '../plugin/importer-type.ts';
import type { JsonObject } from '../types/json.ts';
import { isJsonObject } from '../values/is-json.ts';

/** The JSON object that a piece holds. Throws an `ImportError` where it holds none. */
export function readObject(piece: Uint8Array | undefined): JsonObject {
  const text = Buffer.from(piece ?? []).toString('utf8');
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
