import type { SourceDocument } from '../../source/toml-document.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import { tableAt, tablesAt, textAt } from '../../workflow/raw-data.ts';
import { type PlacedHint, withHints } from '../with-hints.ts';

/** Types that people write, whose nearest known word means something else. */
const MEANT: Readonly<Record<string, string>> = {
  not_contains: 'Write "excludes_pattern" with patterns, or "contains" with negate = true.',
  does_not_contain: 'Write "excludes_pattern" with patterns, or "contains" with negate = true.',
  excludes: 'Write "excludes_pattern" with patterns, or "contains" with negate = true.',
  not_regex: 'Write "excludes_pattern" with patterns, or "regex" with negate = true.',
  not_similar: 'Write "similarity" with negate = true.',
};

/** The issues with better hints where the type of an invariant is mistaken for another: `not_contains` is not `contains`. */
export function withMeantTypes(document: SourceDocument, issues: readonly Issue[]): readonly Issue[] {
  const { data } = document;
  return withHints(issues, [...mistakenIn(tableAt(data, 'contract'), ['contract']), ...mistakenIn(data, [])], document);
}

function mistakenIn(holder: JsonObject, at: Pointer): readonly PlacedHint[] {
  return tablesAt(holder, 'invariants').flatMap(({ index, table }) => {
    const type = textAt(table, 'type') ?? '';
    const hint = Object.hasOwn(MEANT, type) ? MEANT[type] : undefined;
    return hint === undefined ? [] : [{ place: [...at, 'invariants', index, 'type'], hint }];
  });
}
