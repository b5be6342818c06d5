import type { Pointer } from '../source/place-tree.ts';
import type { JsonObject } from '../types/json.ts';
import { numberAt } from './raw-data.ts';
import type { Report } from './report.ts';

/** Tells a share of 0 that something has to reach: everything reaches it. `hint`: what to write instead. */
export function tellZeroShare(
  table: JsonObject,
  key: string,
  { at, report, hint }: { readonly at: Pointer; readonly report: Report; readonly hint: string },
): void {
  if (numberAt(table, key) !== 0) return;
  report({
    code: 'asserts_nothing',
    severity: 'warning',
    message: `\`${key} = 0\` asserts nothing: everything reaches it.`,
    at: [...at, key],
    hint,
  });
}
