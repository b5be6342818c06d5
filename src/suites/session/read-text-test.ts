import { checkPattern } from '../../scenario/check-patterns.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Json } from '../../types/json.ts';
import type { TextMatch } from '../../types/mock.ts';
import { occursInEveryText } from '../../values/linear-search.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { textAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';

/** A text that must occur, or a table with `contains` and `matches`. Tells what is no pattern, and what every text has. */
export function readTextTest(one: Json, at: Pointer, report: Report): TextMatch {
  const table = isJsonObject(one) ? one : { contains: String(one) };
  const [contains, matches] = [textAt(table, 'contains'), textAt(table, 'matches')];
  const isOpen =
    matches === undefined || (checkPattern(matches, [...at, 'matches'], report) && occursInEveryText(matches));
  if ((contains ?? '') === '' && isOpen) {
    report({
      code: 'asserts_nothing',
      severity: 'warning',
      message: 'Every text has this, so it tells nothing apart.',
      at,
      hint: 'Write a text that must occur, or { matches = "pattern" }.',
    });
  }
  return { ...(contains !== undefined && { contains }), ...(matches !== undefined && { matches }) };
}
