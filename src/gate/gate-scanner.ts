/** A word of a gate's text and where it stands, in UTF-16 units from 0. */
export interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Reads a gate's text from left to right, in linear time. */
export interface GateScanner {
  /** Skips white space. */
  skip(): void;
  /** True when this text comes next. */
  isAt(text: string): boolean;
  /** True, and past it, when this text comes next. */
  take(text: string): boolean;
  /** The longest run of characters for which `fits` holds; may be empty. */
  run(fits: (character: string) => boolean): Word;
  /** Everything up to `end`, which is passed; null when it does not come. */
  until(end: string): Word | null;
  /** A JSON string, decoded; null when none starts here or it is malformed. */
  quoted(): Word | null;
  /** What is left. */
  rest(): Word;
  slice(from: number, to: number): string;
  readonly at: number;
}

/** A scanner at the start of the text. */
export function createGateScanner(text: string): GateScanner {
  let at = 0;
  const word = (from: number, value = text.slice(from, at)): Word => ({ text: value, from, to: at });
  return {
    get at() {
      return at;
    },
    skip() {
      while (at < text.length && text.charAt(at).trim() === '') at++;
    },
    isAt: (expected) => text.startsWith(expected, at),
    take(expected) {
      if (!text.startsWith(expected, at)) return false;
      at += expected.length;
      return true;
    },
    run(fits) {
      const from = at;
      while (at < text.length && fits(text.charAt(at))) at++;
      return word(from);
    },
    until(end) {
      const found = text.indexOf(end, at);
      if (found < 0) return null;
      const from = at;
      at = found;
      const read = word(from);
      at += end.length;
      return read;
    },
    quoted() {
      if (text.charAt(at) !== '"') return null;
      const from = at;
      let end = at + 1;
      while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1;
      const value = stringIn(text.slice(from, end + 1));
      if (value === null) return null;
      at = end + 1;
      return word(from, value);
    },
    rest() {
      return { text: text.slice(at), from: at, to: text.length };
    },
    slice: (from, to) => text.slice(from, to),
  };
}

function stringIn(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
