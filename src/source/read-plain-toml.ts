import type { Json, JsonObject } from '../types/json.ts';
import { sharedPart } from './shared-text.ts';
import {
  APOSTROPHE,
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_TABLE,
  COMMA,
  DOT,
  EQUALS,
  HASH,
  IN_KEY,
  isUnusual,
  LETTER_F,
  LETTER_T,
  NEWLINE,
  NINE,
  OPEN_LIST,
  OPEN_TABLE,
  QUOTE,
  SPACE,
  TAB,
  ZERO,
} from './toml-codes.ts';

/**
 * The data of a TOML text that says everything in the plainest way, as the parser and `plainToml` give it: keys without
 * dots, tables and lists that headers open once, strings that mean what they show, short numbers without signs.
 * Null for all else, also for what is no TOML or must be refused: then the parser looks, and says what is wrong. Most
 * files of a large suite are that plain, and are read in a third of the time.
 */
export function readPlainToml(text: string): JsonObject | null {
  const { length } = text;
  if (length >= MOST_CODES || !IS_LITTLE_ENDIAN) return null;
  BYTES.write(text, 'utf16le');
  // Whatever is being read ends here: it is in nothing plain.
  CODES[length] = 0;
  return new PlainToml(text).document();
}

type Table = Record<string, Json>;

/** Values inside each other, and keys of a header; what nests deeper is for the parser, which knows how deep is too deep. */
const MAX_DEPTH = 16;

/** Every integer of so many digits is exact. */
const MAX_DIGITS = 15;

/** Longer texts are for the parser. */
const MOST_CODES = 32 * 1024;

/** The text that is being read, as numbers: looking at one takes a fraction of what a string's character takes. */
const CODES = new Uint16Array(MOST_CODES);
const BYTES = Buffer.from(CODES.buffer);

/** Where numbers begin with their high byte, what is written above would read as something else. */
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function codeAt(at: number): number {
  return CODES[at] as number;
}

/**
 * One text being read. Each method reads from `at` on; where one gives null or undefined the text is not plain, and
 * nothing more is read. A value need not look at what follows it: only a comma, a bracket, a comment or an end of line
 * lets the reading go on, and none of them could be part of it.
 */
class PlainToml {
  private readonly text: string;
  private at = 0;
  private readonly root: Table = {};
  /** What headers have made: only that may be named by another one. */
  private readonly made = new Set<Json>();

  constructor(text: string) {
    this.text = text;
  }

  document(): JsonObject | null {
    const { length } = this.text;
    let table: Table | null = this.root;
    for (this.skipVoid(); this.at < length; this.skipVoid()) {
      if (codeAt(this.at) === OPEN_LIST) {
        table = this.header();
        if (table === null) return null;
      } else if (!this.entry(table, 0)) return null;
      this.skipSpace();
      if (codeAt(this.at) === HASH) this.skipComment();
      if (this.at < length && codeAt(this.at) !== NEWLINE) return null;
    }
    return this.root;
  }

  /** The table that the header at this place opens. */
  private header(): Table | null {
    this.at++;
    const isList = codeAt(this.at) === OPEN_LIST;
    if (isList) this.at++;
    let table = this.root;
    let key = this.key();
    for (let depth = 1; key !== null && codeAt(this.at) === DOT; depth++) {
      const inner = depth < MAX_DEPTH ? this.inside(table, key) : null;
      if (inner === null) return null;
      table = inner;
      this.at++;
      key = this.key();
    }
    if (key === null || codeAt(this.at) !== CLOSE_LIST) return null;
    this.at++;
    if (!isList) return Object.hasOwn(table, key) ? null : this.newTable(table, key);
    if (codeAt(this.at) !== CLOSE_LIST) return null;
    this.at++;
    return this.newItem(table, key);
  }

  /** The table that a header goes on from. */
  private inside(table: Table, key: string): Table | null {
    if (!Object.hasOwn(table, key)) return this.newTable(table, key);
    const known = table[key] as Json;
    if (!this.made.has(known)) return null;
    // Made by headers, and so what they make.
    return (Array.isArray(known) ? known.at(-1) : known) as Table;
  }

  private newTable(table: Table, key: string): Table {
    const made: Table = {};
    table[key] = made;
    this.made.add(made);
    return made;
  }

  private newItem(table: Table, key: string): Table | null {
    const item: Table = {};
    if (!Object.hasOwn(table, key)) {
      const list = [item];
      table[key] = list;
      this.made.add(list);
      return item;
    }
    const list = table[key] as Json;
    if (!Array.isArray(list) || !this.made.has(list)) return null;
    list.push(item);
    return item;
  }

  /** True: a key and its value have been added to the table. */
  private entry(table: Table, depth: number): boolean {
    const key = this.key();
    if (key === null || Object.hasOwn(table, key)) return false;
    this.skipSpace();
    if (codeAt(this.at) !== EQUALS) return false;
    this.at++;
    this.skipSpace();
    const value = this.value(depth);
    if (value === undefined) return false;
    table[key] = value;
    return true;
  }

  private key(): string | null {
    const { at } = this;
    const code = codeAt(at);
    const isQuoted = code === QUOTE || code === APOSTROPHE;
    const key = isQuoted && codeAt(at + 1) !== code ? this.stringFrom(at + 1, code) : this.bareKey();
    return key === undefined || key === '__proto__' ? null : key;
  }

  private bareKey(): string | undefined {
    const { at: start } = this;
    let at = start;
    while (IN_KEY[codeAt(at)] === 1) at++;
    this.at = at;
    return at === start ? undefined : sharedPart(this.text, CODES, start, at);
  }

  private value(depth: number): Json | undefined {
    const code = codeAt(this.at);
    switch (code) {
      case QUOTE:
      case APOSTROPHE:
        return this.string(code);
      case OPEN_LIST:
        return depth < MAX_DEPTH ? this.list(depth + 1) : undefined;
      case OPEN_TABLE:
        return depth < MAX_DEPTH ? this.table(depth + 1) : undefined;
      case LETTER_T:
        return this.word('true') ? true : undefined;
      case LETTER_F:
        return this.word('false') ? false : undefined;
      default:
        return this.number();
    }
  }

  private list(depth: number): readonly Json[] | undefined {
    const items: Json[] = [];
    for (let code = COMMA; code !== CLOSE_LIST; code = codeAt(this.at)) {
      if (code !== COMMA) return undefined;
      this.at++;
      this.skipVoid();
      if (codeAt(this.at) === CLOSE_LIST) break;
      const item = this.value(depth);
      if (item === undefined) return undefined;
      items.push(item);
      this.skipVoid();
    }
    this.at++;
    // A copy has room for what is in it; a list that grows has more, and is kept with it.
    return items.slice();
  }

  private table(depth: number): JsonObject | undefined {
    const table: Table = {};
    for (let code = COMMA; code !== CLOSE_TABLE; code = codeAt(this.at)) {
      if (code !== COMMA) return undefined;
      this.at++;
      this.skipVoid();
      if (codeAt(this.at) === CLOSE_TABLE) break;
      if (!this.entry(table, depth)) return undefined;
      this.skipVoid();
    }
    this.at++;
    return table;
  }

  private word(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  private number(): number | undefined {
    const start = this.at;
    let at = start;
    let value = 0;
    let code = codeAt(at);
    for (; code >= ZERO && code <= NINE; code = codeAt(++at)) value = value * 10 + code - ZERO;
    const digits = at - start;
    if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && codeAt(start) === ZERO)) return undefined;
    if (code === DOT) {
      const dot = at;
      do code = codeAt(++at);
      while (code >= ZERO && code <= NINE);
      if (at === dot + 1) return undefined;
      value = Number(this.text.slice(start, at));
    }
    this.at = at;
    return value;
  }

  private string(quote: number): string | undefined {
    const { at } = this;
    if (codeAt(at + 1) !== quote) return this.stringFrom(at + 1, quote);
    if (codeAt(at + 2) === quote) return this.longString(quote);
    this.at = at + 2;
    return '';
  }

  /** A string on one line. */
  private stringFrom(start: number, quote: number): string | undefined {
    let at = start;
    for (let code = codeAt(at); code !== quote; code = codeAt(++at)) {
      if (isUnusual(code) || (code === BACKSLASH && quote === QUOTE)) return undefined;
    }
    this.at = at + 1;
    return sharedPart(this.text, CODES, start, at);
  }

  /** A string between three quotes; where more than three end it, one follows that nothing goes on with. */
  private longString(quote: number): string | undefined {
    const first = this.at + 3;
    const start = codeAt(first) === NEWLINE ? first + 1 : first;
    let at = start;
    for (let code = codeAt(at); ; code = codeAt(++at)) {
      if (code === quote && codeAt(at + 1) === quote && codeAt(at + 2) === quote) break;
      if ((isUnusual(code) && code !== NEWLINE) || (code === BACKSLASH && quote === QUOTE)) return undefined;
    }
    this.at = at + 3;
    return sharedPart(this.text, CODES, start, at);
  }

  /** Passes spaces, ends of lines and comments. */
  private skipVoid(): void {
    for (;;) {
      const code = codeAt(this.at);
      if (code === SPACE || code === NEWLINE || code === TAB) this.at++;
      else if (code === HASH) this.skipComment();
      else return;
    }
  }

  private skipSpace(): void {
    for (let code = codeAt(this.at); code === SPACE || code === TAB; code = codeAt(this.at)) this.at++;
  }

  /** Stops before what no comment may hold, too: nothing plain begins with it. */
  private skipComment(): void {
    while (!isUnusual(codeAt(this.at))) this.at++;
  }
}
