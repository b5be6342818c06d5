import { JSON_NOTATION } from '../../schema/notation.ts';
import { pointerText } from '../../source/check-schema.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue, Location } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';

/** A document without a text, and its issues told by path instead of by line. */
export interface MemoryDocument {
  readonly document: SourceDocument;
  /** The same issues; those with a place in this document name it in words. */
  withoutPlaces(issues: readonly Issue[]): readonly Issue[];
}

/** Lets data that was never a file be checked like one. `codeAt`: the code that stands in it; absent: none. */
export function memoryDocument(data: JsonObject, name: string, codeAt?: (pointer: Pointer) => unknown): MemoryDocument {
  const places = new WeakMap<Location, string>();
  const document: SourceDocument = {
    source: { path: name, name, text: '' },
    data,
    notation: JSON_NOTATION,
    locate(pointer) {
      const place: Location = { file: name, line: 1, column: 1 };
      places.set(place, pointerText(pointer));
      return place;
    },
    range: () => [0, 0],
    ...(codeAt !== undefined && { codeAt }),
  };
  const withoutPlace = (issue: Issue): Issue => {
    const place = issue.at === undefined ? undefined : places.get(issue.at);
    if (place === undefined) return issue;
    const { at: _, ...rest } = issue;
    return place === '' || issue.message.includes(`"${place}`)
      ? rest
      : { ...rest, message: `${place}: ${issue.message}` };
  };
  return { document, withoutPlaces: (issues) => issues.map(withoutPlace) };
}
