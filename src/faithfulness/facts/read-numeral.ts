import type { Amount } from './fact.ts';
import { isMark, type Lexeme } from './lexemes.ts';

/** Digits with what groups them, as one number in each way it can be read. */
export interface Numeral {
  /** [] where it is no number but a name made of digits: `192.168.0.1`, `007`, or more digits than a number can hold. */
  readonly amounts: readonly Amount[];
  readonly next: number;
}

/** More digits than that are no longer exact in a number. */
const MOST_DIGITS = 15;
const MOST_GROUPS = 12;

/**
 * The number that begins with these digits: `1,234.5`, `1.234,5`, `1 234`, `1'234`. One separator before three digits can
 * mean either thousands or a decimal, and is read both ways.
 */
export function readNumeral(lexemes: readonly Lexeme[], at: number): Numeral {
  const groups = [lexemes[at]?.text ?? ''];
  const marks: string[] = [];
  let next = at + 1;
  while (groups.length < MOST_GROUPS) {
    const mark = lexemes[next];
    const digits = lexemes[next + 1];
    if (mark === undefined || digits?.kind !== 'digits' || !joins(mark, digits, groups, marks)) break;
    marks.push(mark.text === '’' ? "'" : mark.text);
    groups.push(digits.text);
    next += 2;
  }
  const amounts = marks.length === 0 ? wholeNumber(groups[0] ?? '') : readings(groups, marks);
  if (amounts !== null) return { amounts, next };
  // `1,2,3` is a list; `1.2.3` a version.
  return marks.every((mark) => mark === '.')
    ? { amounts: [], next }
    : { amounts: wholeNumber(groups[0] ?? ''), next: at + 1 };
}

function joins(mark: Lexeme, digits: Lexeme, groups: readonly string[], marks: readonly string[]): boolean {
  if (mark.kind === 'space') {
    const isGrouped = (groups[0] ?? '').length <= 3 && marks.every((one) => one === ' ');
    return mark.text === ' ' && digits.text.length === 3 && isGrouped;
  }
  return isMark(mark, ",.'’_");
}

function wholeNumber(digits: string): readonly Amount[] {
  if (digits.length > MOST_DIGITS || (digits.length > 1 && digits.startsWith('0'))) return [];
  return [amountOf(digits, '')];
}

/** Null: they are several numbers. */
function readings(groups: readonly string[], marks: readonly string[]): readonly Amount[] | null {
  const last = marks.at(-1) ?? '';
  const whole = groups.slice(0, -1);
  const fraction = groups.at(-1) ?? '';
  if (groups.join('').length > MOST_DIGITS) return [];
  const decimals = last === '.' || last === ',' ? [amountOf(whole.join(''), fraction)] : [];
  if (marks.every((mark) => mark === last)) {
    const thousands = isGrouping(groups) ? [amountOf(groups.join(''), '')] : [];
    const found = marks.length === 1 ? [...thousands, ...decimals] : thousands;
    return found.length === 0 ? null : found;
  }
  const grouping = marks.slice(0, -1);
  const isOne = grouping.every((mark) => mark === grouping[0]) && grouping[0] !== last;
  return isOne && decimals.length > 0 && isGrouping(whole) ? decimals : null;
}

/** Thousands as `1,234,567`, or as India writes them: `12,34,567`. */
function isGrouping(groups: readonly string[]): boolean {
  const [first = '', ...others] = groups;
  if (first.startsWith('0') || first.length > 3 || others.at(-1)?.length !== 3) return false;
  const middle = others.slice(0, -1);
  return middle.every(({ length }) => length === 3) || (first.length < 3 && middle.every(({ length }) => length === 2));
}

function amountOf(whole: string, fraction: string): Amount {
  const zeros = /0*$/.exec(whole)?.[0].length ?? 0;
  const step = fraction !== '' ? 10 ** -fraction.length : 10 ** Math.min(zeros, Math.max(whole.length - 1, 0));
  return { value: Number(`${whole}.${fraction}`), step };
}
