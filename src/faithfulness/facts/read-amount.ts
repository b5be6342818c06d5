import type { Amount, Found, Reading } from './fact.ts';
import { isMark, type Lexeme, pastSpace } from './lexemes.ts';
import { readNumberWords } from './number-words.ts';
import { readNumeral } from './read-numeral.ts';
import { readUnit, withRate } from './read-unit.ts';
import { isCurrency, type Unit, unitsNamed } from './units.ts';

const SCALES: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1e3],
  ['tausend', 1e3],
  ['tsd', 1e3],
  ['mille', 1e3],
  ['k', 1e3],
  ['K', 1e3],
  ['lakh', 1e5],
  ['million', 1e6],
  ['millions', 1e6],
  ['Million', 1e6],
  ['Millionen', 1e6],
  ['Mio', 1e6],
  ['mn', 1e6],
  ['M', 1e6],
  ['crore', 1e7],
  ['billion', 1e9],
  ['billions', 1e9],
  ['milliard', 1e9],
  ['milliards', 1e9],
  ['Milliarde', 1e9],
  ['Milliarden', 1e9],
  ['Mrd', 1e9],
  ['bn', 1e9],
  ['B', 1e9],
  ['trillion', 1e12],
]);

/** Letters that scale only what they touch: in `5 M` they are something else. */
const TOUCHING = new Set(['k', 'K', 'M', 'B', 'm']);
const ORDINAL = new Set(['st', 'nd', 'rd', 'th', 'er', 're', 'e', 'ème', 's']);

/** A number, or a quantity, that begins here, in digits or in words; null: none does. */
export function readAmount(lexemes: readonly Lexeme[], at: number): Found | null {
  const sign = signAt(lexemes, at);
  const currency = currencyAt(lexemes, sign.next);
  // The sign may also stand between the currency and its number.
  const inner = currency === null || sign.factor < 0 ? sign : signAt(lexemes, currency.next);
  const start = currency === null ? sign.next : Math.max(inner.next, currency.next);
  const lexeme = lexemes[start];
  if (lexeme?.kind === 'word' && currency === null && sign.factor > 0) return inWords(lexemes, at);
  if (lexeme?.kind !== 'digits') return null;
  const numeral = readNumeral(lexemes, start);
  if (numeral.amounts.length === 0) return null;
  const factor = Math.min(sign.factor, inner.factor);
  const signed = numeral.amounts.map(({ value, step }) => ({ value: factor * value, step }));
  if (currency === null) return withFraction(lexemes, start, signed) ?? measured(lexemes, signed, numeral.next);
  const scale = scaleAt(lexemes, numeral.next, true);
  const scaled = scale === null ? signed : signed.map((amount) => times(amount, scale.factor));
  const { units, next } = withRate(lexemes, { units: currency.units, next: scale?.next ?? numeral.next });
  return { kind: 'quantity', readings: quantities(scaled, units), next };
}

function inWords(lexemes: readonly Lexeme[], at: number): Found | null {
  const number = readNumberWords(lexemes, at);
  if (number === null) return null;
  const zeros = /0*$/.exec(String(number.value))?.[0].length ?? 0;
  const step = number.value === 0 ? 1 : 10 ** zeros;
  const found = measured(lexemes, [{ value: number.value, step }], number.next);
  return number.isWeak && found.kind === 'number' ? { ...found, isWeak: true } : found;
}

/** Numbers with the scale and the unit that follow them. */
function measured(lexemes: readonly Lexeme[], amounts: readonly Amount[], next: number): Found {
  const scale = scaleAt(lexemes, next, false);
  const unit = readUnit(lexemes, next);
  // `5m` are metres, or millions.
  const plain = unit === null ? [] : quantities(amounts, unit.units);
  if (scale === null) {
    if (unit !== null) return { kind: 'quantity', readings: plain, next: unit.next };
    const ordinal = lexemes[next];
    const isOrdinal = ordinal?.kind === 'word' && ORDINAL.has(ordinal.text);
    return { kind: 'number', readings: amounts.map(numberOf), next: isOrdinal ? next + 1 : next };
  }
  const scaled = amounts.map((amount) => times(amount, scale.factor));
  const after = readUnit(lexemes, scale.next);
  if (after !== null) return { kind: 'quantity', readings: quantities(scaled, after.units), next: after.next };
  return {
    kind: plain.length > 0 ? 'quantity' : 'number',
    readings: [...scaled.map(numberOf), ...plain],
    next: scale.next,
  };
}

/** `3/4`, which may be a share or two numbers of their own. */
function withFraction(lexemes: readonly Lexeme[], at: number, upper: readonly Amount[]): Found | null {
  const lower = lexemes[at + 2];
  if (!isMark(lexemes[at + 1], '/⁄') || lower?.kind !== 'digits' || lower.text.length > 4) return null;
  const [top] = upper;
  const below = Number(lower.text);
  if (top === undefined || below === 0 || isMark(lexemes[at + 3], '/')) return null;
  return { kind: 'number', readings: [numberOf({ value: top.value / below, step: 0 })], next: at + 3 };
}

interface Sign {
  readonly factor: number;
  readonly next: number;
}

/** A minus belongs to what it touches, unless it stands between two things: `5-10`. */
function signAt(lexemes: readonly Lexeme[], at: number): Sign {
  const before = lexemes[at - 1];
  const isFree = before === undefined || before.kind === 'space' || isMark(before, '([:"=~$€£');
  return isFree && isMark(lexemes[at], '-−–') ? { factor: -1, next: at + 1 } : { factor: 1, next: at };
}

function currencyAt(
  lexemes: readonly Lexeme[],
  at: number,
): { readonly units: readonly Unit[]; readonly next: number } | null {
  const lexeme = lexemes[at];
  if (lexeme === undefined) return null;
  // `US$5`
  const symbol = lexeme.kind === 'word' && isMark(lexemes[at + 1], '$') ? at + 1 : at;
  const name = lexemes[symbol]?.text ?? '';
  if (!isCurrency(name)) return null;
  const start = pastSpace(lexemes, symbol + 1);
  const number = isMark(lexemes[start], '-−') ? start + 1 : start;
  return lexemes[number]?.kind === 'digits' ? { units: unitsNamed(name), next: start } : null;
}

function scaleAt(
  lexemes: readonly Lexeme[],
  at: number,
  isMoney: boolean,
): { readonly factor: number; readonly next: number } | null {
  const start = lexemes[at]?.kind === 'space' || isMark(lexemes[at], '-') ? at + 1 : at;
  const word = lexemes[start];
  if (word?.kind !== 'word') return null;
  const factor = SCALES.get(word.text) ?? (word.text === 'm' && (isMoney || start === at) ? 1e6 : undefined);
  if (factor === undefined || (TOUCHING.has(word.text) && start !== at)) return null;
  const isShort = word.text === 'Mio' || word.text === 'Mrd';
  return { factor, next: isShort && isMark(lexemes[start + 1], '.') ? start + 2 : start + 1 };
}

function times({ value, step }: Amount, factor: number): Amount {
  return { value: value * factor, step: step * factor };
}

function numberOf(amount: Amount): Reading {
  return { kind: 'number', amount };
}

function quantities(amounts: readonly Amount[], units: readonly Unit[]): readonly Reading[] {
  return amounts.flatMap((amount) => units.map((unit): Reading => ({ kind: 'quantity', amount, ...unit })));
}
