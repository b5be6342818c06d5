import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { newPlace, type Place, type Pointer, type Range, rangeIn } from './place-tree.ts';
import { scanToml } from './toml-scan.ts';

/** Where each key and value of a TOML text stands. */
export interface TomlPositions {
  /** The range of a key or value; for one that is not there, of its nearest ancestor that is. */
  range(pointer: Pointer, part: 'key' | 'value'): Range;
  /** Where mapping had to give up, so that every range is the start of the text; null: everything is mapped. */
  readonly failedAt: number | null;
}

/** Maps a TOML text that has been parsed before; an empty map when the parsers disagree. */
export function tomlPositions(text: string): TomlPositions {
  const root = newPlace([0, 0], [0, 0]);
  let failedAt: number | null = null;
  try {
    for (const entry of parseTOML(shortened(text), { tomlVersion: '1.1' }).body[0].body) addEntry(root, entry);
  } catch (error) {
    // This parser is stricter about dates. No other difference between the two is known.
    root.children.clear();
    failedAt = error instanceof ParseError ? error.index : 0;
  }
  return { range: (pointer, part) => rangeIn(root, pointer, part), failedAt };
}

/** The position parser collects a string's characters on the stack, and their values are not needed here. */
const LONGEST_STRING = 16_384;

function shortened(text: string): string {
  let result = '';
  let from = 0;
  for (const [start, end] of scanToml(text, { depth: Number.POSITIVE_INFINITY, stringLength: LONGEST_STRING })
    .longStrings) {
    result += `${text.slice(from, start)}''${' '.repeat(end - start - 2)}`;
    from = end;
  }
  return result + text.slice(from);
}

function childOf(parent: Place, key: string | number, keyRange: Range, valueRange: Range): Place {
  const child = parent.children.get(key);
  if (child !== undefined) return child;
  const place = newPlace(keyRange, valueRange);
  parent.children.set(key, place);
  return place;
}

function addEntry(parent: Place, entry: AST.TOMLKeyValue | AST.TOMLTable): void {
  if (entry.type === 'TOMLKeyValue') {
    addKeyValue(parent, entry);
    return;
  }
  let place = parent;
  let segment = 0;
  for (const key of entry.resolvedKey) {
    if (typeof key === 'string') segment++;
    const range = entry.key.keys[segment - 1]?.range ?? entry.key.range;
    place = childOf(place, key, range, entry.key.range);
  }
  for (const keyValue of entry.body) addKeyValue(place, keyValue);
}

function addKeyValue(parent: Place, entry: AST.TOMLKeyValue): void {
  let place = parent;
  for (const key of entry.key.keys) {
    const isLast = key === entry.key.keys.at(-1);
    const name = key.type === 'TOMLBare' ? key.name : key.value;
    place = childOf(place, name, key.range, isLast ? entry.value.range : key.range);
  }
  addValue(place, entry.value);
}

function addValue(place: Place, value: AST.TOMLContentNode): void {
  if (value.type === 'TOMLInlineTable') for (const entry of value.body) addKeyValue(place, entry);
  if (value.type !== 'TOMLArray') return;
  for (const [index, element] of value.elements.entries()) {
    addValue(childOf(place, index, element.range, element.range), element);
  }
}
