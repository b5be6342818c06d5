import { checkPattern } from '../../scenario/check-patterns.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Json } from '../../types/json.ts';
import type { TextMatch } from '../../types/mock.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { textAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';

/** A text that must occur, or a table with `contains` and `matches`. Tells what is no pattern. */
export function readTextTest(one: Json, at: Pointer, report: Report): TextMatch {
  if (!isJsonObject(one)) return { contains: String(one) };
  const [contains, matches] = [textAt(one, 'contains'), textAt(one, 'matches')];
  if (matches !== undefined) checkPattern(matches, [...at, 'matches'], report);
  return { ...(contains !== undefined && { contains }), ...(matches !== undefined && { matches }) };
}
