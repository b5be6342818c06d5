import type { Json } from '../types/json.ts';
import { findJsonProblem } from './find-json-problem.ts';

/** A parsed document, or why the text is not exactly one JSON document: `expected value at line 1 column 1`. */
export type ParsedJson = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string };

/** Reads one JSON document, as strictly as serde_json; of repeated keys the last one counts. Never throws. */
export function parseJsonText(text: string): ParsedJson {
  const problem = findJsonProblem(text);
  return problem === null ? { ok: true, value: JSON.parse(text) } : { ok: false, message: problem };
}
