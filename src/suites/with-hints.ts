import type { Pointer } from '../source/place-tree.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { Issue } from '../types/issue.ts';

/** What helps with whatever is wrong at a place. */
export interface PlacedHint {
  readonly place: Pointer;
  readonly part?: 'key' | 'value';
  readonly hint: string;
}

/** The issues of a document, those at these places with these hints. */
export function withHints(
  issues: readonly Issue[],
  hints: readonly PlacedHint[],
  { locate }: SourceDocument,
): readonly Issue[] {
  if (hints.length === 0) return issues;
  return issues.map((issue) => {
    const { at } = issue;
    const found = hints.find(({ place, part }) => {
      const { line, column } = locate(place, part);
      return at !== undefined && at.line === line && at.column === column;
    });
    return found === undefined ? issue : { ...issue, hint: found.hint };
  });
}
