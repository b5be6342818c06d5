import type { Json } from '../types/json.ts';
import { parseJson } from '../values/exact-json.ts';
import { countWork } from '../values/work.ts';
import { findJsonProblem } from './find-json-problem.ts';

/** A parsed document, or why the text is not exactly one JSON document: `expected value at line 1 column 1`. */
export type ParsedJson = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string };

/** Reads one JSON document, as strictly as serde_json, with exact integers; of repeated keys the last one counts. Never throws. */
export function parseJsonText(text: string): ParsedJson {
  countWork(text.length);
  if (text.length <= SHORT && !STRICTER.test(text)) {
    try {
      return { ok: true, value: parseJson(text) };
    } catch {
      // What is wrong, and where, is found below.
    }
  }
  const problem = findJsonProblem(text);
  return problem === null ? { ok: true, value: parseJson(text) } : { ok: false, message: problem };
}

/** Too short to be nested deeper than 127, or to write a number beyond a double without an exponent. */
const SHORT = 255;
/** What a short document must hold for `JSON.parse` to take it although it is refused: an escaped code unit, an exponent. */
const STRICTER = /\\u|\d[eE]/;
