import { type ContextIndex, dateKey, hasWithin, inBase, nearly, quantityKey, timeKey } from './context-index.ts';
import type { Amount, Fact, Hedge, Reading } from './facts/fact.ts';
import { isMoney } from './facts/units.ts';

type Quantity = Extract<Reading, { kind: 'quantity' }>;

/** How many places of words may be looked at for one answer; what is not found by then counts as not supported. */
export const MOST_PLACES = 2_000_000;

/** What is left of the places that may be looked at. */
export interface Allowance {
  places: number;
}

/** Words that may stand between the words of a name: a middle name, an initial. */
const NAME_GAP = 2;
/** How far conversions between metric and other units may be rounded. */
const ROUNDING = 0.01;

/** True where contexts hold the fact, in any way that it can be read. */
export function isSupported({ readings, hedge }: Fact, index: ContextIndex, allowance: Allowance): boolean {
  return readings.some((reading) => holds(reading, { hedge, index, allowance }));
}

interface Looking {
  readonly hedge: Hedge | null;
  readonly index: ContextIndex;
  readonly allowance: Allowance;
}

function holds(reading: Reading, looking: Looking): boolean {
  const { index, allowance } = looking;
  switch (reading.kind) {
    case 'number':
      return holdsNumber(reading.amount, looking);
    case 'quantity':
      return holdsQuantity(reading, looking);
    case 'date':
      return index.dates.has(dateKey(reading));
    case 'time':
      return holdsTime(reading, index);
    case 'id':
      return index.ids.has(reading.key);
    case 'initials':
      return index.initials.has(reading.letters);
    case 'quote':
      return reading.parts.every((words) => hasWords(words, { index, allowance, isOrdered: true }));
    case 'name':
      return hasWords(reading.words, { index, allowance, isOrdered: false });
  }
}

/** A number without a unit may stand anywhere, with a unit or without. */
function holdsNumber(amount: Amount, { hedge, index }: Looking): boolean {
  const [least, most] = boundsOf(amount, hedge);
  return hasWithin(index.numbers, least, most) || hasWithin(index.measured, least, most);
}

/** A quantity is held by an equal one, and by the bare number, which says nothing against the unit. */
function holdsQuantity(wanted: Quantity, looking: Looking): boolean {
  const { hedge, index } = looking;
  const [least, most] = boundsOf(wanted.amount, hedge);
  const isOther = isMoney(wanted.dimension) && index.currencies.size > 0 && !index.currencies.has(wanted.dimension);
  if (!isOther && hasWithin(index.numbers, least, most)) return true;
  // 45 % of a table may stand there as 0.45.
  if (wanted.dimension === 'percent' && hasWithin(index.numbers, ...nearly({ value: wanted.amount.value / 100 })))
    return true;
  const { factor, offset, dimension, system, ofRate } = wanted;
  const base = inBase(wanted);
  const isUnsigned = base > 0 && (isMoney(dimension) || dimension === 'percent');
  const other = system === 'metric' ? 'imperial' : 'metric';
  const has = (key: string, low: number, high: number): boolean => {
    const values = index.quantities.get(key) ?? [];
    // A withdrawal of $5 stands there as -$5.
    return hasWithin(values, low, high) || (isUnsigned && hasWithin(values, -high, -low));
  };
  // One rate does not answer for another.
  const rates = ofRate === true ? [undefined] : [undefined, true as const];
  return rates.some((rated) => {
    const key = (named: Quantity['system']): string =>
      quantityKey({ dimension, system: named, ...(rated && { ofRate: rated }) });
    const slack = ROUNDING * Math.abs(base);
    return (
      has(key(system), least * factor + offset, most * factor + offset) || has(key(other), base - slack, base + slack)
    );
  });
}

/** What a number may stand for: itself, or what its hedge says, to the digits that it has. */
function boundsOf(amount: Amount, hedge: Hedge | null): readonly [least: number, most: number] {
  const [least, most] = nearly(amount);
  const { value, step } = amount;
  const size = Math.abs(value);
  switch (hedge) {
    case null:
      return [least, most];
    case 'about':
      return [least - Math.min(step / 2, size / 10), most + Math.min(step / 2, size / 10)];
    case 'over':
      return [least, most + Math.min(step, size)];
    case 'under':
      return [least - Math.min(step, size / 5), most];
  }
}

function holdsTime(time: Extract<Reading, { kind: 'time' }>, { times }: ContextIndex): boolean {
  const half = 43_200;
  const { seconds, isHalfDay } = time;
  const others = [(seconds + half) % 86_400, seconds];
  return (
    times.has(timeKey(time)) ||
    (isHalfDay && others.some((one) => times.has(String(one)))) ||
    others.some((one) => times.has(`${one}half`))
  );
}

interface Search {
  readonly index: ContextIndex;
  readonly allowance: Allowance;
  readonly isOrdered: boolean;
}

/** Looks around each place of the word that is rarest. */
function hasWords(words: readonly string[], search: Search): boolean {
  const places = words.map((word) => placesOf(word, search.index));
  const rarest = places.reduce((best, list, at) => (list.length < (places[best] ?? []).length ? at : best), 0);
  return (places[rarest] ?? []).some((place) => standsAt(words, { place, rarest, ...search }));
}

function standsAt(
  words: readonly string[],
  {
    place,
    rarest,
    index: { order },
    allowance,
    isOrdered,
  }: Search & { readonly place: number; readonly rarest: number },
): boolean {
  const reach = words.length + NAME_GAP;
  allowance.places -= isOrdered ? words.length : words.length * 2 * reach;
  if (allowance.places < 0) return false;
  if (isOrdered) return words.every((word, at) => order[place - rarest + at] === word);
  const around = new Set(order.slice(Math.max(0, place - reach), place + reach + 1));
  return words.every((word) => formsOf(word).some((form) => around.has(form)));
}

function placesOf(word: string, { words }: ContextIndex): readonly number[] {
  const lists = formsOf(word).map((form) => words.get(form) ?? []);
  return lists.every((list, at) => at === 0 || list.length === 0) ? (lists[0] ?? []) : lists.flat();
}

/** `Teslas` and `Tesla` are one name. */
function formsOf(word: string): readonly string[] {
  return word.endsWith('s') ? [word, word.slice(0, -1)] : [word, `${word}s`];
}
