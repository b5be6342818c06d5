import { JSON_NOTATION } from '../schema/notation.ts';
import type { Issue } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { parseJson } from '../values/exact-json.ts';
import { locationAt } from './location-at.ts';
import { newPlace, type Place, type Pointer, type Range, rangeIn } from './place-tree.ts';
import type { SourceFile } from './source-file.ts';
import type { ParseResult } from './toml-document.ts';
import { MAX_NESTING, tooDeep, unsafeKey } from './toml-to-json.ts';
import { ROOT_LIST } from './yaml-document.ts';

/** Problems of one text that are listed; the rest would be more of the same. */
const MAX_ISSUES = 20;

/**
 * Parses JSON (RFC 8259) with the place of every key and value, so that also the digits of a number can be looked up as
 * they were printed. A list stands under `ROOT_LIST`. A key that stands twice is an error. Throws nothing.
 */
export function parseJsonDocument(source: SourceFile): ParseResult {
  const reader = new JsonReader(source);
  const root = newPlace([0, 0], [0, source.text.length]);
  let data: Json = null;
  try {
    data = reader.readAll(root);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    reader.issues.push(error.issue);
  }
  if (reader.issues.length > 0) return { ok: false, issues: reader.issues };
  const isList = Array.isArray(data);
  if (!isList && (typeof data !== 'object' || data === null)) {
    const message = 'The file must be an object, or a list of objects.';
    return { ok: false, issues: [{ code: 'wrong_type', severity: 'error', message, at: locationAt(source, 0) }] };
  }
  const range = (pointer: Pointer, part: 'key' | 'value' = 'value'): Range =>
    rangeIn(root, isList ? pointer.slice(1) : pointer, part);
  const locate = (pointer: Pointer, part: 'key' | 'value' = 'value') => locationAt(source, ...range(pointer, part));
  const table = isList ? { [ROOT_LIST]: data } : data;
  return { ok: true, document: { source, data: table as JsonObject, notation: JSON_NOTATION, locate, range } };
}

/** Ends the reading: nothing after this place can be understood. */
class Unreadable extends Error {
  readonly issue: Issue;

  constructor(issue: Issue) {
    super(issue.message);
    this.issue = issue;
  }
}

const BLANKS = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

class JsonReader {
  readonly issues: Issue[] = [];
  private readonly source: SourceFile;
  private at = 0;

  constructor(source: SourceFile) {
    this.source = source;
  }

  readAll(place: Place): Json {
    this.skip(BLANKS);
    const value = this.value(place, 0);
    this.skip(BLANKS);
    if (this.at < this.source.text.length) throw this.expected('the end of the file');
    return value;
  }

  private value(place: Place, depth: number): Json {
    if (depth > MAX_NESTING) throw new Unreadable(tooDeep(locationAt(this.source, this.at)));
    switch (this.source.text[this.at]) {
      case '{':
        return this.object(place, depth);
      case '[':
        return this.list(place, depth);
      case '"':
        return this.string();
    }
    const word = this.skip(WORD) || this.skip(NUMBER);
    if (word === '') throw this.expected('a value');
    const value = parseJson(word);
    if (typeof value === 'number' && !Number.isFinite(value)) this.tell(this.tooLarge(word));
    return value;
  }

  private object(place: Place, depth: number): JsonObject {
    const table: Record<string, Json> = {};
    this.members('}', () => {
      if (this.source.text[this.at] !== '"') throw this.expected('a key in double quotes');
      const start = this.at;
      const key = this.string();
      const range: Range = [start, this.at];
      this.skip(BLANKS);
      if (this.source.text[this.at] !== ':') throw this.expected('":"');
      this.at++;
      const value = this.placed(place, key, depth, range);
      if (key === '__proto__') this.tell(unsafeKey(locationAt(this.source, ...range)));
      else if (Object.hasOwn(table, key)) this.tell(this.doubleKey(key, range));
      else table[key] = value;
    });
    return table;
  }

  private list(place: Place, depth: number): readonly Json[] {
    const items: Json[] = [];
    this.members(']', () => {
      items.push(this.placed(place, items.length, depth));
    });
    return items;
  }

  /** What stands between brackets, with commas between; starts at the opening one. */
  private members(closing: string, read: () => void): void {
    this.at++;
    this.skip(BLANKS);
    if (this.source.text[this.at] === closing) {
      this.at++;
      return;
    }
    for (;;) {
      this.skip(BLANKS);
      read();
      this.skip(BLANKS);
      const next = this.source.text[this.at];
      if (next !== ',' && next !== closing) throw this.expected(`"," or "${closing}"`);
      this.at++;
      if (next === closing) return;
    }
  }

  /** A value inside of `place`, under a step. */
  private placed(place: Place, step: string | number, depth: number, key?: Range): Json {
    this.skip(BLANKS);
    const start = this.at;
    // Its end is known once it has been read.
    const range: [number, number] = [start, start];
    const inner = newPlace(key ?? range, range);
    if (!place.children.has(step)) place.children.set(step, inner);
    const value = this.value(inner, depth + 1);
    range[1] = this.at;
    return value;
  }

  private string(): string {
    const { text } = this.source;
    const start = this.at;
    let end = text.indexOf('"', start + 1);
    while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
    if (end === -1) throw this.unreadable('The text that begins here has no closing quote.', start);
    this.at = end + 1;
    try {
      return JSON.parse(text.slice(start, this.at)) as string;
    } catch {
      throw this.unreadable('The text that begins here has an escape or a control character that JSON forbids.', start);
    }
  }

  /** Takes what the pattern finds at this place; '' for nothing. */
  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.source.text) ?? [];
    this.at += found.length;
    return found;
  }

  private tell(issue: Issue): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push(issue);
  }

  private doubleKey(key: string, range: Range): Issue {
    const message = `The key "${key.slice(0, 60)}" stands here again.`;
    const at = locationAt(this.source, ...range);
    return { code: 'duplicate_key', severity: 'error', message, at, hint: 'Keep one of them.' };
  }

  private tooLarge(word: string): Issue {
    const message = `The number ${word.slice(0, 60)} is larger than any that can be held.`;
    const at = locationAt(this.source, this.at - word.length, this.at);
    return { code: 'number_too_large', severity: 'error', message, at, hint: 'Write it as a text, or a smaller one.' };
  }

  private expected(what: string): Unreadable {
    const end = this.at >= this.source.text.length;
    return this.unreadable(`${end ? 'The file ends' : 'Something else stands'} where ${what} is expected.`, this.at);
  }

  private unreadable(reason: string, start: number): Unreadable {
    const message = `This is not valid JSON: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
    const at = locationAt(this.source, start);
    return new Unreadable({ code: 'json_syntax', severity: 'error', message, at });
  }
}

/** True: an odd number of backslashes stands before the quote. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote;
  while (text[before - 1] === '\\') before--;
  return (quote - before) % 2 === 1;
}
