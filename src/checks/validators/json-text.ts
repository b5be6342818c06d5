import type { Json } from '../../types/json.ts';
import { exactJsonIn } from '../../values/json-in.ts';
import { countWork } from '../../values/work.ts';
import type { Reading } from './reading.ts';

/** The JSON value of a whole text; undefined: it is no JSON. */
export function jsonOf(text: string): Json | undefined {
  countWork(text.length);
  return exactJsonIn(text);
}

/** Strings, so that nothing inside them is taken for a number, and the three numbers that Python takes as JSON. */
const PYTHON_NUMBERS = /"(?:[^"\\]|\\[\s\S])*"?|-?Infinity|NaN/g;

/** True when the tool reads the text as JSON. */
export function isJson(text: string, { presence }: Reading): boolean {
  if (jsonOf(text) !== undefined) return true;
  if (presence === 'js') return false;
  // `null` stands for them, because a digit would make another number of a digit or a sign beside it.
  return jsonOf(text.replace(PYTHON_NUMBERS, (token) => (token.startsWith('"') ? token : 'null'))) !== undefined;
}
