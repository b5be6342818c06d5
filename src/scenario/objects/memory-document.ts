import { JSON_NOTATION } from '../../schema/notation.ts';
import { pointerText } from '../../source/check-schema.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue, Location } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import { withWrittenKeys, type WrittenKeys, writtenPlace } from './written-keys.ts';

/** A document without a text, and its issues told by path instead of by line. */
export interface MemoryDocument {
  readonly document: SourceDocument;
  /** The same issues; those with a place in this document name it in words. */
  withoutPlaces(issues: readonly Issue[]): readonly Issue[];
}

export interface MemoryOptions {
  /** The code that stands in the data; absent: none. */
  readonly codeAt?: (pointer: Pointer) => unknown;
  /** What a program wrote in place of the data; absent: the data as they are. */
  readonly written?: WrittenKeys;
}

/** Lets data that was never a file be checked like one. */
export function memoryDocument(
  data: JsonObject,
  name: string,
  { codeAt, written }: MemoryOptions = {},
): MemoryDocument {
  const places = new WeakMap<Location, Pointer>();
  const document: SourceDocument = {
    source: { path: name, name, text: '' },
    data,
    notation: JSON_NOTATION,
    locate(pointer) {
      const place: Location = { file: name, line: 1, column: 1 };
      places.set(place, pointer);
      return place;
    },
    range: () => [0, 0],
    ...(codeAt !== undefined && { codeAt }),
  };
  const withoutPlace = (issue: Issue): Issue => {
    const pointer = issue.at === undefined ? undefined : places.get(issue.at);
    if (pointer === undefined) return issue;
    const { at: _, ...rest } = written === undefined ? issue : withWrittenKeys(issue, written);
    const inFile = pointerText(pointer);
    const place = written === undefined ? inFile : writtenPlace(pointer, written);
    if (place === '') return rest;
    const message = rest.message.includes(`"${inFile}`)
      ? rest.message.replace(`"${inFile}`, () => `"${place}`)
      : `${place}: ${rest.message}`;
    return { ...rest, message };
  };
  return { document, withoutPlaces: (issues) => issues.map(withoutPlace) };
}
