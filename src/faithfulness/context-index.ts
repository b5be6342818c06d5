import type { Amount, Reading } from './facts/fact.ts';
import { contextFacts } from './facts/facts-of.ts';
import { foldWord, type Lexeme, lexemesOf, textBetween } from './facts/lexemes.ts';
import { chunkEnd, idKey, isStart } from './facts/read-id.ts';
import { currenciesNamed } from './facts/units.ts';

type Quantity = Extract<Reading, { kind: 'quantity' }>;
type DateReading = Extract<Reading, { kind: 'date' }>;

/** Words that a name leaves out of its initials. */
const SMALL = new Set(['of', 'the', 'and', 'for', 'de', 'des', 'du', 'la', 'der', 'und', 'fur']);

/** What contexts hold, found once and looked up for each fact of an answer. */
export class ContextIndex {
  /** Numbers by themselves, in rising order. */
  readonly numbers: readonly number[];
  /** Those of quantities, as written, in rising order. */
  readonly measured: readonly number[];
  /** By dimension and system, in the dimension's own unit, in rising order. */
  readonly quantities: ReadonlyMap<string, readonly number[]>;
  readonly dates: ReadonlySet<string>;
  /** Since midnight; `half` beside it where it may be of either half of the day. */
  readonly times: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  readonly initials: ReadonlySet<string>;
  /** Currencies that they name, wherever. */
  readonly currencies: ReadonlySet<string>;
  /** Positions of each word, over all contexts. Contexts are so far apart that nothing spans two of them. */
  readonly words: ReadonlyMap<string, readonly number[]>;
  /** All words in order; undefined between contexts. */
  readonly order: readonly (string | undefined)[];

  constructor(contexts: readonly string[]) {
    const numbers: number[] = [];
    const measured: number[] = [];
    const quantities = new Map<string, number[]>();
    const [dates, times, ids] = [new Set<string>(), new Set<string>(), new Set<string>()];
    const [initials, currencies] = [new Set<string>(), new Set<string>()];
    const order: (string | undefined)[] = [];
    for (const context of contexts) {
      const lexemes = lexemesOf(context);
      for (const { readings } of contextFacts(lexemes)) {
        for (const reading of readings) {
          if (reading.kind === 'number') numbers.push(reading.amount.value);
          else if (reading.kind === 'quantity') {
            measured.push(reading.amount.value);
            grouped(quantities, quantityKey(reading)).push(inBase(reading));
          } else if (reading.kind === 'date') addDate(reading, dates, numbers);
          else if (reading.kind === 'time') times.add(timeKey(reading));
          else if (reading.kind === 'id') ids.add(reading.key);
        }
      }
      addIds(lexemes, ids);
      addInitials(lexemes, initials);
      for (const { kind, text } of lexemes) {
        if (kind === 'word' || kind === 'digits') order.push(foldWord(text));
        for (const currency of currenciesNamed(text)) currencies.add(currency);
      }
      for (let gap = 0; gap < 12; gap++) order.push(undefined);
    }
    this.numbers = numbers.toSorted((a, b) => a - b);
    this.measured = measured.toSorted((a, b) => a - b);
    this.quantities = new Map([...quantities].map(([key, values]) => [key, values.toSorted((a, b) => a - b)]));
    this.dates = dates;
    this.times = times;
    this.ids = ids;
    this.initials = initials;
    this.currencies = currencies;
    this.order = order;
    this.words = positionsOf(order);
  }
}

/** A quantity in the own unit of its dimension. */
export function inBase({ amount, factor, offset }: Quantity): number {
  return amount.value * factor + offset;
}

/** What quantities that are compared with each other have in common. */
export function quantityKey({ dimension, system, ofRate }: Pick<Quantity, 'dimension' | 'system' | 'ofRate'>): string {
  return `${dimension} ${system}${ofRate === true ? ' of a rate' : ''}`;
}

/** A time of the day as an index holds it. */
export function timeKey({ seconds, isHalfDay }: Extract<Reading, { kind: 'time' }>): string {
  return `${seconds}${isHalfDay ? 'half' : ''}`;
}

/** What a date says, in the parts that it says. */
export function dateKey({ year, isShort, month, day, weekday }: DateReading): string {
  const shown = year === null ? '' : isShort ? `'${year % 100}` : String(year);
  return `${shown}-${month ?? ''}-${day ?? ''}-${weekday ?? ''}`;
}

/** All that a date says, in all its parts: who reads `2024-01-15` has read of January 2024, and of a Monday. */
function addDate(date: DateReading, dates: Set<string>, numbers: number[]): void {
  const { year, month, day, isShort } = date;
  const years = year === null ? [] : isShort ? [year + 1900, year + 2000] : [year];
  const readings: DateReading[] = [date];
  for (const one of years) {
    readings.push({ ...date, year: one, isShort: false }, { ...date, year: one % 100, isShort: true });
    if (!isShort) numbers.push(one);
  }
  if (day !== null) numbers.push(day);
  const weekday =
    year === null || isShort || month === null || day === null ? date.weekday : weekdayOf(year, month, day);
  const nothing: DateReading = { kind: 'date', year: null, isShort: false, month: null, day: null, weekday: null };
  for (const one of readings) {
    dates.add(dateKey(one));
    dates.add(dateKey({ ...one, day: null }));
  }
  if (month !== null) {
    dates.add(dateKey({ ...nothing, month }));
    dates.add(dateKey({ ...nothing, month, day }));
  }
  if (weekday !== null) dates.add(dateKey({ ...nothing, weekday }));
}

/** From 0, Sunday. */
function weekdayOf(year: number, month: number, day: number): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function addIds(lexemes: readonly Lexeme[], ids: Set<string>): void {
  lexemes.forEach((lexeme, at) => {
    if (lexeme.kind === 'space' || !isStart(lexemes, at)) return;
    const text = textBetween(lexemes, at, chunkEnd(lexemes, at));
    if (text === '') return;
    ids.add(idKey(text));
    if (/[/@#]/.test(text)) for (const part of text.split(/[/@#]/)) ids.add(idKey(part));
    // `SKU 123`
    const number = lexemes[at + 2];
    const isPair = lexeme.kind === 'word' && lexemes[at + 1]?.text === ' ' && number?.kind === 'digits';
    if (isPair) ids.add(idKey(lexeme.text + textBetween(lexemes, at + 2, chunkEnd(lexemes, at + 2))));
  });
}

/** Names in capitals, and first letters of words with capitals: a claim may use either. */
function addInitials(lexemes: readonly Lexeme[], initials: Set<string>): void {
  let letters = '';
  for (const { kind, text } of lexemes) {
    if (kind === 'space' || text === '-') continue;
    if (kind === 'word' && /^\p{Lu}/u.test(text)) {
      if (/^\p{Lu}{2,6}$/u.test(text)) initials.add(foldWord(text));
      letters = (letters + foldWord(text).charAt(0)).slice(-6);
      for (let from = 0; from < letters.length - 1; from++) initials.add(letters.slice(from));
    } else if (!(kind === 'word' && SMALL.has(foldWord(text)))) letters = '';
  }
}

function positionsOf(order: readonly (string | undefined)[]): ReadonlyMap<string, readonly number[]> {
  const words = new Map<string, number[]>();
  order.forEach((word, at) => {
    if (word !== undefined) grouped(words, word).push(at);
  });
  return words;
}

function grouped<T>(lists: Map<string, T[]>, key: string): T[] {
  const found = lists.get(key);
  if (found !== undefined) return found;
  const list: T[] = [];
  lists.set(key, list);
  return list;
}

/** True where a sorted list has a value within the bounds, both included. */
export function hasWithin(sorted: readonly number[], least: number, most: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  const found = sorted[low];
  return found !== undefined && found <= most;
}

/** Two numbers count as one where only their last bits differ. */
export function nearly({ value }: Pick<Amount, 'value'>): readonly [least: number, most: number] {
  const slack = Math.abs(value) * 1e-9;
  return [value - slack, value + slack];
}
