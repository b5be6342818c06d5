import { codeText, isWord } from './character-sets.ts';
import { oneOfSet, parseClass } from './parse-class.ts';
import { parseEscape } from './parse-escape.ts';
import { PatternSource } from './pattern-source.ts';
import { type OneCharacter, type PatternNode, PatternProblem } from './tree.ts';

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly verbose: boolean;
  readonly ascii: boolean;
}

const FLAGS: Readonly<Record<string, Partial<Flags>>> = {
  i: { ignoreCase: true },
  m: { multiline: true },
  s: { dotAll: true },
  x: { verbose: true },
  a: { ascii: true },
  u: { ascii: false },
};

/** Groups inside groups; RE2 has a bound of its own kind. */
const MAX_DEPTH = 200;
/** Most that RE2 repeats. */
const MAX_REPEAT = 1000;

/** Parses a pattern of Python's `re`, with the dot matching line breaks too. Throws `PatternProblem`. */
export function parsePattern(pattern: string): PatternNode {
  const parser = new Parser(pattern);
  return parser.whole();
}

class Parser {
  private readonly source: PatternSource;
  private depth = 0;
  /** True: it asks for the edge of a word without the flag `a`. */
  private asksEdges = false;
  /** True: a letter or number beyond ASCII stands in it. */
  private isWide = false;

  constructor(pattern: string) {
    this.source = new PatternSource(pattern);
  }

  whole(): PatternNode {
    const { source } = this;
    let flags: Flags = { ignoreCase: false, multiline: false, dotAll: true, verbose: false, ascii: false };
    for (let leading = this.leadingFlags(); leading !== null; leading = this.leadingFlags())
      flags = { ...flags, ...leading };
    const body = this.choice(flags);
    if (source.peek() !== '') throw new PatternProblem('a ")" too many');
    if (this.asksEdges && this.isWide) {
      throw new PatternProblem('"\\b" beside letters beyond ASCII, of which RE2 knows no words', false);
    }
    return flags.ignoreCase ? { kind: 'case', body, ignored: true } : body;
  }

  /** `(?im)` and the like. */
  private leadingFlags(): Partial<Flags> | null {
    const { source } = this;
    let length = 2;
    while (/[aiLmsux]/.test(source.peek(length))) length++;
    if (source.peek() !== '(' || source.peek(1) !== '?' || length === 2 || source.peek(length) !== ')') return null;
    source.skip('(?');
    return this.flagsIn(source.until(')', 'a group'), true);
  }

  private flagsIn(letters: string, value: boolean): Partial<Flags> {
    let flags: Partial<Flags> = {};
    for (const letter of letters) {
      const flag = FLAGS[letter];
      if (flag === undefined) throw new PatternProblem(`the flag "${letter}"`, false);
      flags = { ...flags, ...(value ? flag : inverted(flag)) };
    }
    return flags;
  }

  private choice(flags: Flags): PatternNode {
    if (++this.depth > MAX_DEPTH) throw new PatternProblem('groups are too deep inside groups', false);
    const options = [this.sequence(flags)];
    while (this.source.skip('|')) options.push(this.sequence(flags));
    this.depth--;
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  private sequence(flags: Flags): PatternNode {
    const items: PatternNode[] = [];
    for (;;) {
      this.skipIgnored(flags);
      const next = this.source.peek();
      if (next === '' || next === '|' || next === ')') break;
      const atom = this.atom(flags);
      const isPlace = atom?.kind === 'at' && next !== '(';
      const item = atom === null ? null : this.repeated(atom, flags, isPlace);
      if (item?.kind === 'sequence') items.push(...item.items);
      else if (item !== null) items.push(item);
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: 'sequence', items };
  }

  /** White space and comments of a verbose pattern. */
  private skipIgnored({ verbose }: Flags): void {
    const { source } = this;
    while (verbose && /[\s#]/.test(source.peek())) {
      if (source.take() !== '#') continue;
      while (source.peek() !== '' && source.peek() !== '\n') source.take();
    }
  }

  /** Null: a comment. */
  private atom(flags: Flags): PatternNode | null {
    const { source } = this;
    const character = source.take();
    switch (character) {
      case '(':
        return this.group(flags);
      case '[':
        return parseClass(source, flags.ascii);
      case '\\':
        return this.escape(flags);
      case '.':
        return flags.dotAll ? ANY : NO_BREAK;
      case '^':
        return { kind: 'at', place: flags.multiline ? 'lineStart' : 'start' };
      case '$':
        return { kind: 'at', place: flags.multiline ? 'lineEnd' : 'end' };
      case '*':
      case '+':
      case '?':
        throw new PatternProblem(`nothing to repeat before "${character}"`);
      default:
        return this.literal(character.codePointAt(0) as number);
    }
  }

  private literal(code: number): OneCharacter {
    this.isWide ||= code > 0x7f && isWord(code);
    return oneOf(code);
  }

  private escape(flags: Flags): PatternNode {
    const escaped = parseEscape(this.source, flags.ascii, false);
    if (escaped.kind === 'code') return this.literal(escaped.code);
    if (escaped.kind === 'set') return oneOfSet(escaped.items);
    const place = PLACES[escaped.letter];
    this.asksEdges ||= !flags.ascii && (place === 'word' || place === 'notWord');
    return { kind: 'at', place };
  }

  private group(flags: Flags): PatternNode | null {
    const { source } = this;
    if (!source.skip('?')) return this.groupBody(flags);
    if (source.skip(':')) return this.groupBody(flags);
    if (source.skip('#')) {
      source.until(')', 'a comment');
      return null;
    }
    for (const [head, behind, negated] of LOOKS) {
      if (source.skip(head)) return { kind: 'look', behind, negated, body: this.groupBody(flags) };
    }
    if (source.skip('P<') || source.skip('<')) {
      const name = source.until('>', 'the name of a group');
      if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) throw new PatternProblem(`"${name}" is no name of a group`);
      return this.groupBody(flags);
    }
    if (source.skip('P=')) throw new PatternProblem('the back-reference "(?P=…)"', false);
    if (source.skip('(')) throw new PatternProblem('the condition "(?(…)…|…)"', false);
    if (source.skip('>')) throw new PatternProblem('the atomic group "(?>…)"', false);
    return this.flagged(flags);
  }

  /** `(?i-s:…)`. */
  private flagged(flags: Flags): PatternNode {
    const { source } = this;
    const on = source.run(/[A-Za-z]/, 8);
    const off = source.skip('-') ? source.run(/[A-Za-z]/, 8) : '';
    if (source.skip(')')) throw new PatternProblem(`the flags "(?${on})" do not stand at the beginning`);
    if (on + off === '' || !source.skip(':')) throw new PatternProblem('a group begins with "?" and nothing known');
    const inner = { ...flags, ...this.flagsIn(on, true), ...this.flagsIn(off, false) };
    const body = this.groupBody(inner);
    return inner.ignoreCase === flags.ignoreCase ? body : { kind: 'case', body, ignored: inner.ignoreCase };
  }

  private groupBody(flags: Flags): PatternNode {
    const body = this.choice(flags);
    if (!this.source.skip(')')) throw new PatternProblem('a group does not end with ")"');
    return body;
  }

  private repeated(body: PatternNode, flags: Flags, isPlace: boolean): PatternNode {
    this.skipIgnored(flags);
    const range = this.range();
    if (range === null) return body;
    if (isPlace) throw new PatternProblem('a place cannot be repeated');
    const { source } = this;
    // Whether it prefers few or many is the same to a search that only asks whether there is a match.
    if (!source.skip('?') && source.peek() === '+') throw new PatternProblem('a possessive repetition', false);
    this.skipIgnored(flags);
    if (this.range() !== null) throw new PatternProblem('two repetitions in a row');
    const [least, most] = range;
    if (most !== null && most < least) throw new PatternProblem(`no number is from ${least} to ${most}`);
    if (Math.max(least, most ?? 0) > MAX_REPEAT) {
      throw new PatternProblem(`more than ${MAX_REPEAT} repetitions`, false);
    }
    return { kind: 'repeat', body, least, most };
  }

  /** The repetition that comes next; null: none. A `{` that begins none stands for itself. */
  private range(): readonly [number, number | null] | null {
    const { source } = this;
    if (source.skip('*')) return [0, null];
    if (source.skip('+')) return [1, null];
    if (source.skip('?')) return [0, 1];
    if (source.peek() !== '{') return null;
    let text = '';
    while (/[\d,]/.test(source.peek(text.length + 1))) text += source.peek(text.length + 1);
    const bounds = /^(\d*)(,?)(\d*)$/.exec(text);
    if (bounds === null || text === '' || source.peek(text.length + 1) !== '}') return null;
    source.skip(`{${text}}`);
    const [, least = '', comma = '', most = ''] = bounds;
    return [Number(least), comma === '' ? Number(least) : most === '' ? null : Number(most)];
  }
}

/** Longer heads first. */
const LOOKS = [
  ['=', false, false],
  ['!', false, true],
  ['<=', true, false],
  ['<!', true, true],
] as const;

const PLACES = { A: 'start', Z: 'textEnd', z: 'textEnd', b: 'word', B: 'notWord' } as const;

const ANY: OneCharacter = { kind: 'one', source: '(?s:.)', inverse: '[^\\x{0}-\\x{10ffff}]' };
const NO_BREAK: OneCharacter = { kind: 'one', source: '[^\\n]', inverse: '\\n' };

function oneOf(code: number): OneCharacter {
  const text = codeText(code);
  return { kind: 'one', source: text, inverse: `[^${text}]` };
}

function inverted(flag: Partial<Flags>): Partial<Flags> {
  return Object.fromEntries(Object.entries(flag).map(([name, value]) => [name, !value]));
}
