import type { Found, Reading } from './fact.ts';
import { isMark, type Lexeme, pastSpace } from './lexemes.ts';

/** A time of the day that begins here: `14:30`, `2:30 pm`, `2 p.m.`, `14 Uhr`, `14h30`; null: none does. */
export function readTime(lexemes: readonly Lexeme[], at: number): Found | null {
  const hours = lexemes[at];
  if (hours?.kind !== 'digits' || hours.text.length > 2 || Number(hours.text) > 24) return null;
  const clock = clockAt(lexemes, at);
  const german = germanClock(lexemes, at);
  if (german !== null) return timeOf(hours.text, german, null, german.next);
  const half = halfAfter(lexemes, clock?.next ?? at + 1);
  if (half !== null) return timeOf(hours.text, clock, half.isAfternoon, half.next);
  if (clock !== null) return timeOf(hours.text, clock, null, pastUhr(lexemes, clock.next));
  return inWords(lexemes, at, hours.text);
}

interface Clock {
  readonly minutes: number;
  readonly seconds: number;
  readonly next: number;
}

function clockAt(lexemes: readonly Lexeme[], at: number): Clock | null {
  const minutes = sixtieth(lexemes, at + 1, ':');
  if (minutes === null) return null;
  const seconds = sixtieth(lexemes, at + 3, ':');
  return { minutes, seconds: seconds ?? 0, next: seconds === null ? at + 3 : at + 5 };
}

/** `8.55 Uhr` */
function germanClock(lexemes: readonly Lexeme[], at: number): Clock | null {
  const minutes = sixtieth(lexemes, at + 1, '.');
  const next = pastUhr(lexemes, at + 3);
  return minutes === null || next === at + 3 ? null : { minutes, seconds: 0, next };
}

function sixtieth(lexemes: readonly Lexeme[], at: number, mark: string): number | null {
  const digits = lexemes[at + 1];
  if (lexemes[at]?.text !== mark || digits?.kind !== 'digits' || digits.text.length !== 2) return null;
  return Number(digits.text) < 60 ? Number(digits.text) : null;
}

/** `pm`, `p.m.` */
function halfAfter(
  lexemes: readonly Lexeme[],
  at: number,
): { readonly isAfternoon: boolean; readonly next: number } | null {
  const start = pastSpace(lexemes, at);
  const word = (lexemes[start]?.text ?? '').toLowerCase();
  if (word === 'am' || word === 'pm') {
    return { isAfternoon: word === 'pm', next: start + 1 };
  }
  const isDotted =
    (word === 'a' || word === 'p') && isMark(lexemes[start + 1], '.') && /^m$/i.test(lexemes[start + 2]?.text ?? '');
  if (!isDotted) return null;
  return { isAfternoon: word === 'p', next: isMark(lexemes[start + 3], '.') ? start + 4 : start + 3 };
}

function pastUhr(lexemes: readonly Lexeme[], at: number): number {
  const start = pastSpace(lexemes, at);
  return lexemes[start]?.text === 'Uhr' ? start + 1 : at;
}

/** `14 Uhr`, `14 Uhr 30`, and `14h30`, which may be as long as well. */
function inWords(lexemes: readonly Lexeme[], at: number, hours: string): Found | null {
  const start = pastSpace(lexemes, at + 1);
  const word = lexemes[start]?.text;
  const minutes = lexemes[pastSpace(lexemes, start + 1)];
  const value = minutes?.kind === 'digits' && minutes.text.length === 2 ? Number(minutes.text) : null;
  if (word === 'Uhr') {
    const hasMinutes = value !== null && value < 60;
    const next = hasMinutes ? pastSpace(lexemes, start + 1) + 1 : start + 1;
    return timeOf(hours, { minutes: hasMinutes ? value : 0, seconds: 0, next }, null, next);
  }
  if (word !== 'h' || value === null || value >= 60 || minutes !== lexemes[start + 1]) return null;
  const time = timeOf(hours, { minutes: value, seconds: 0, next: start + 2 }, null, start + 2);
  if (time === null) return null;
  const long: Reading = {
    kind: 'quantity',
    dimension: 'duration',
    amount: { value: Number(hours) * 60 + value, step: 1 },
    factor: 60,
    offset: 0,
    system: 'metric',
  };
  return { ...time, readings: [...time.readings, long] };
}

function timeOf(hoursText: string, clock: Clock | null, isAfternoon: boolean | null, next: number): Found | null {
  const hours = Number(hoursText);
  if (isAfternoon !== null && (hours > 12 || hours === 0)) return null;
  const whole = isAfternoon === null ? hours : (hours % 12) + (isAfternoon ? 12 : 0);
  const seconds = ((whole * 60 + (clock?.minutes ?? 0)) * 60 + (clock?.seconds ?? 0)) % 86_400;
  const isHalfDay = isAfternoon === null && hours >= 1 && hours <= 12 && !hoursText.startsWith('0');
  return { kind: 'time', readings: [{ kind: 'time', seconds, isHalfDay }], next };
}
