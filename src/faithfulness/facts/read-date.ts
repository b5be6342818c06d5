import type { Found, Reading } from './fact.ts';
import { foldWord, isMark, type Lexeme } from './lexemes.ts';
import { MONTHS, WEEKDAYS } from './calendar-words.ts';

type DateReading = Extract<Reading, { kind: 'date' }>;

const SUFFIXES = new Set(['st', 'nd', 'rd', 'th', 'er']);

/** A date that begins here: `Jan 15, 1967`, `15 January`, `1967-01-15`, `15.01.1967`, `01/15/1967`; null: none does. */
export function readDate(lexemes: readonly Lexeme[], at: number): Found | null {
  const lexeme = lexemes[at];
  if (lexeme?.kind === 'digits') return inNumbers(lexemes, at) ?? dayAndMonth(lexemes, at);
  return lexeme?.kind === 'word' ? (monthFirst(lexemes, at) ?? monthAlone(lexemes, at) ?? weekday(lexeme, at)) : null;
}

/** `1967-01-15`, `15.01.1967`, `01/15/1967`, which is read both ways where both are dates. */
function inNumbers(lexemes: readonly Lexeme[], at: number): Found | null {
  const [first, mark, second, again, third] = lexemes.slice(at, at + 5);
  if (first === undefined || second?.kind !== 'digits' || mark === undefined || !isMark(mark, '-/.‐‑')) return null;
  if (third?.kind === 'digits' && again?.text === mark.text) {
    const readings =
      first.text.length === 4
        ? [dateOf(first.text, second.text, third.text)]
        : [
            dateOf(third.text, second.text, first.text),
            // With dots the day comes first everywhere.
            mark.text === '.' ? null : dateOf(third.text, first.text, second.text),
          ];
    return found(readings, at + 5);
  }
  // `15.01.`
  const isGerman = mark.text === '.' && again?.text === '.' && second.text.length === 2;
  return isGerman ? found([dateOf(null, second.text, first.text)], at + 4) : null;
}

/** `15 January 1967`, `15th of January`, `15. Januar 1967`, `1er mars 2020`, `15-Jan-1967`. */
function dayAndMonth(lexemes: readonly Lexeme[], at: number): Found | null {
  const day = lexemes[at]?.text ?? '';
  let next = at + 1;
  if (SUFFIXES.has(lexemes[next]?.text ?? '') || isMark(lexemes[next], '.')) next += 1;
  next = pastGap(lexemes, next);
  if (lexemes[next]?.text === 'of') next = pastGap(lexemes, next + 1);
  const month = monthAt(lexemes, next);
  if (month === null || next === at + 1) return null;
  const year = yearAfter(lexemes, month.next);
  return found([dateOf(year?.text ?? null, String(month.month), day)], year?.next ?? month.next);
}

/** `Jan 15, 1967`, `January 15th`, `January 1967`. */
function monthFirst(lexemes: readonly Lexeme[], at: number): Found | null {
  const month = monthAt(lexemes, at);
  if (month === null) return null;
  const start = pastGap(lexemes, month.next);
  const digits = lexemes[start];
  if (digits?.kind === 'digits' && digits.text.length <= 2 && start !== month.next) {
    const next = SUFFIXES.has(lexemes[start + 1]?.text ?? '') ? start + 2 : start + 1;
    const year = yearAfter(lexemes, next);
    const date = found([dateOf(year?.text ?? null, String(month.month), digits.text)], year?.next ?? next);
    if (date !== null) return date;
  }
  const year = yearAfter(lexemes, month.next);
  return year === null ? null : found([dateOf(year.text, String(month.month), null)], year.next);
}

/** A month by itself, where it is written as a name. `May`, `March` and `Mars` are so often something else that they are none. */
function monthAlone(lexemes: readonly Lexeme[], at: number): Found | null {
  const word = lexemes[at]?.text ?? '';
  const month = MONTHS.get(foldWord(word));
  if (month === undefined || word.length < 4 || !/^\p{Lu}/u.test(word) || /^(?:march|mars|mai|sept)$/iu.test(word))
    return null;
  return found([dateOf(null, String(month), null)], at + 1);
}

function weekday({ text }: Lexeme, at: number): Found | null {
  const day = WEEKDAYS.get(foldWord(text));
  // `sun`, `sat` and `die` are words of their own in lower case.
  if (day === undefined || (text.length < 5 && !/^\p{Lu}/u.test(text))) return null;
  return found([{ kind: 'date', year: null, isShort: false, month: null, day: null, weekday: day }], at + 1);
}

function monthAt(lexemes: readonly Lexeme[], at: number): { readonly month: number; readonly next: number } | null {
  const lexeme = lexemes[at];
  const month = lexeme?.kind === 'word' ? MONTHS.get(foldWord(lexeme.text)) : undefined;
  if (lexeme === undefined || month === undefined) return null;
  const isShort = lexeme.text.length <= 4 && isMark(lexemes[at + 1], '.');
  return { month, next: isShort ? at + 2 : at + 1 };
}

function yearAfter(lexemes: readonly Lexeme[], at: number): { readonly text: string; readonly next: number } | null {
  const next = pastGap(lexemes, isMark(lexemes[at], ',') ? at + 1 : at);
  const year = lexemes[next];
  // `15 January 1,200 people`
  const isLonger = isMark(lexemes[next + 1], ',.') && lexemes[next + 2]?.kind === 'digits';
  if (year?.kind !== 'digits' || year.text.length !== 4 || next === at || isLonger) return null;
  return { text: year.text, next: next + 1 };
}

function pastGap(lexemes: readonly Lexeme[], at: number): number {
  return lexemes[at]?.kind === 'space' || isMark(lexemes[at], '-') ? at + 1 : at;
}

function found(readings: readonly (DateReading | null)[], next: number): Found | null {
  const dates = readings.filter((reading) => reading !== null);
  return dates.length === 0 ? null : { kind: 'date', readings: dates, next };
}

/** Null: there is no such day. */
function dateOf(yearText: string | null, monthText: string, dayText: string | null): DateReading | null {
  const [month, day] = [Number(monthText), dayText === null ? null : Number(dayText)];
  const year = yearText === null ? null : Number(yearText);
  const isYear = yearText === null || yearText.length === 2 || (yearText.length === 4 && Number(yearText) >= 1000);
  if (!isYear || month < 1 || month > 12 || (day !== null && (day < 1 || day > 31))) return null;
  return { kind: 'date', year, isShort: yearText?.length === 2, month, day, weekday: null };
}
