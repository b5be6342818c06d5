/** Arrays and objects inside each other; one more is refused. */
const MAX_DEPTH = 127;

/**
 * Why a text is not exactly one JSON document, with line and column (in bytes, as serde_json counts); null: it is.
 * Stricter than `JSON.parse`: refuses lone surrogate escapes, numbers beyond a double and nesting deeper than 127.
 * Linear in the text.
 */
export function findJsonProblem(text: string): string | null {
  const scan = new Scan(text);
  const problem = scan.document();
  return problem === null ? null : `${problem} at ${place(text, scan)}`;
}

function place(text: string, { problemAt, isAhead }: Problem): string {
  if (isAhead && text[problemAt] === '\n') return place(text, { problemAt: problemAt + 1, isAhead: false });
  const before = text.slice(0, problemAt);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let i = before.indexOf('\n'); i >= 0; i = before.indexOf('\n', i + 1)) line++;
  // The next character counts by its first byte, as in the parser whose places these are.
  let column = isAhead ? 1 : 0;
  for (const char of before.slice(lineStart)) column += byteLength(char.codePointAt(0) as number);
  return `line ${line} column ${column}`;
}

interface Problem {
  /** Characters taken when it was found. */
  readonly problemAt: number;
  /** It is about the next character, not about those taken. */
  readonly isAhead: boolean;
}

function byteLength(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/** Each method reads one piece and answers what is wrong with it, or null. */
class Scan implements Problem {
  problemAt = 0;
  isAhead = false;
  private readonly text: string;
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): string | null {
    const problem = this.value();
    if (problem !== null) return problem;
    return this.skipSpace() === '' ? null : this.ahead('trailing characters');
  }

  private value(): string | null {
    const first = this.skipSpace();
    switch (first) {
      case '':
        return this.ahead('EOF while parsing a value');
      case '"':
        return this.string();
      case '[':
      case '{':
        if (this.depth === MAX_DEPTH) return this.ahead('recursion limit exceeded');
        this.at++;
        this.depth++;
        return first === '[' ? this.array() : this.object();
      case 'n':
        return this.word('null');
      case 't':
        return this.word('true');
      case 'f':
        return this.word('false');
      default:
        return first === '-' || isDigit(first) ? this.number() : this.ahead('expected value');
    }
  }

  private array(): string | null {
    for (let first = true; ; first = false) {
      const next = this.skipSpace();
      if (next === ']') return this.close();
      if (next === '') return this.ahead('EOF while parsing a list');
      if (!first) {
        if (next !== ',') return this.ahead('expected `,` or `]`');
        this.at++;
        if (this.skipSpace() === ']') return this.ahead('trailing comma');
      }
      const problem = this.value();
      if (problem !== null) return problem;
    }
  }

  private object(): string | null {
    for (let first = true; ; first = false) {
      let next = this.skipSpace();
      if (next === '}') return this.close();
      if (next === '') return this.ahead('EOF while parsing an object');
      if (!first) {
        if (next !== ',') return this.ahead('expected `,` or `}`');
        this.at++;
        next = this.skipSpace();
        if (next === '}') return this.ahead('trailing comma');
        if (next === '') return this.ahead('EOF while parsing a value');
      }
      if (next !== '"') return this.ahead('key must be a string');
      const problem = this.string() ?? this.colon() ?? this.value();
      if (problem !== null) return problem;
    }
  }

  private colon(): string | null {
    const next = this.skipSpace();
    if (next === '') return this.ahead('EOF while parsing an object');
    if (next !== ':') return this.ahead('expected `:`');
    this.at++;
    return null;
  }

  private close(): null {
    this.at++;
    this.depth--;
    return null;
  }

  private word(word: string): string | null {
    for (const expected of word) {
      if (this.at === this.text.length) return this.here('EOF while parsing a value');
      if (this.text[this.at++] !== expected) return this.here('expected ident');
    }
    return null;
  }

  private number(): string | null {
    const start = this.at;
    if (this.peek() === '-') this.at++;
    const lead = this.peek();
    if (lead === '') return this.here('EOF while parsing a value');
    this.at++;
    if (!isDigit(lead)) return this.here('invalid number');
    if (lead === '0' && isDigit(this.peek())) return this.ahead('invalid number');
    this.digits();
    if (this.peek() === '.') {
      this.at++;
      if (this.digits() === 0) return this.ahead(this.peek() === '' ? 'EOF while parsing a value' : 'invalid number');
    }
    if (this.peek() === 'e' || this.peek() === 'E') {
      this.at++;
      if (this.peek() === '+' || this.peek() === '-') this.at++;
      const next = this.peek();
      if (this.digits() === 0) {
        if (next === '') return this.here('EOF while parsing a value');
        this.at++;
        return this.here('invalid number');
      }
    }
    return Number.isFinite(Number(this.text.slice(start, this.at))) ? null : this.here('number out of range');
  }

  private digits(): number {
    const start = this.at;
    while (isDigit(this.peek())) this.at++;
    return this.at - start;
  }

  private string(): string | null {
    this.at++;
    for (;;) {
      const char = this.peek();
      if (char === '') return this.here('EOF while parsing a string');
      this.at++;
      if (char === '"') return null;
      if (char < ' ') return this.here('control character (\\u0000-\\u001F) found while parsing a string');
      if (char === '\\') {
        const problem = this.escape();
        if (problem !== null) return problem;
      }
    }
  }

  private escape(): string | null {
    const char = this.peek();
    if (char === '') return this.here('EOF while parsing a string');
    this.at++;
    if (char !== 'u') return '"\\/bfnrt'.includes(char) ? null : this.here('invalid escape');
    const unit = this.hex();
    if (typeof unit === 'string') return unit;
    if (unit >= 0xdc00 && unit <= 0xdfff) return this.here('lone leading surrogate in hex escape');
    if (unit < 0xd800 || unit > 0xdfff) return null;
    for (const expected of '\\u') {
      const next = this.peek();
      if (next === '') return this.here('EOF while parsing a string');
      this.at++;
      if (next !== expected) return this.here('unexpected end of hex escape');
    }
    const low = this.hex();
    if (typeof low === 'string') return low;
    return low >= 0xdc00 && low <= 0xdfff ? null : this.here('lone leading surrogate in hex escape');
  }

  private hex(): number | string {
    const digits = this.text.slice(this.at, this.at + 4);
    this.at += digits.length;
    if (digits.length < 4) return this.here('EOF while parsing a string');
    let unit = 0;
    for (const digit of digits) {
      const value = '0123456789abcdef'.indexOf(digit.toLowerCase());
      if (value < 0) return this.here('invalid escape');
      unit = unit * 16 + value;
    }
    return unit;
  }

  /** The next character without taking it; '' at the end. */
  private peek(): string {
    return this.text[this.at] ?? '';
  }

  private skipSpace(): string {
    for (;;) {
      const char = this.peek();
      if (char !== ' ' && char !== '\n' && char !== '\r' && char !== '\t') return char;
      this.at++;
    }
  }

  /** The problem is with what has been taken. */
  private here(problem: string): string {
    this.problemAt = this.at;
    return problem;
  }

  /** The problem is with the next character. */
  private ahead(problem: string): string {
    this.problemAt = this.at;
    this.isAhead = this.at < this.text.length;
    return problem;
  }
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9' && char.length === 1;
}
