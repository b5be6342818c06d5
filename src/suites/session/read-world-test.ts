import type { Pointer } from '../../source/place-tree.ts';
import type { JsonObject } from '../../types/json.ts';
import type { WorldTest } from '../../types/session.ts';
import { isJsonArray } from '../../values/is-json.ts';
import { markerPath } from '../../sessions/world/fill.ts';
import { valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';

const WORDS = ['exists', 'equals', 'not_equals', 'above', 'below', 'in'] as const;

/** The one test of a table with the keys of tests; null where there is none or several, which is told. */
export function readWorldTest(table: JsonObject, at: Pointer, report: Report): WorldTest | null {
  const words = WORDS.filter((word) => Object.hasOwn(table, word));
  const [word] = words;
  if (word === undefined || words.length > 1) {
    report({
      code: 'bad_test',
      message: word === undefined ? 'This tests nothing.' : `This tests several things: ${words.join(', ')}.`,
      at,
      hint: `Give each test one of ${WORDS.join(', ')}.`,
    });
    return null;
  }
  const value = valueAt(table, word) ?? null;
  if (word === 'exists') return { kind: word, exists: value === true };
  if (word !== 'in') return { kind: word, value };
  if (isJsonArray(value) || (typeof value === 'string' && markerPath(value) !== null))
    return { kind: word, values: value };
  report({ code: 'bad_test', message: '"in" must be a list, or a marker that stands for one.', at: [...at, word] });
  return null;
}
