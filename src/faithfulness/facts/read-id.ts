import type { Found } from './fact.ts';
import { isMark, type Lexeme, textBetween } from './lexemes.ts';
import { readAmount } from './read-amount.ts';

const WITHIN = '-_./#@+‐‑';
/** Pieces of the longest id. */
const LONGEST = 60;
/** `mid-2020` is a year. */
const BEFORE_YEARS = /^(?:mid|pre|post|early|late|non|since|until)-\d{4}$/i;

/** An id that begins here: `SKU-123`, `#4711`, `v2.3`, `a@b.org`, `policy.md`, an address; null: none does. */
export function readId(lexemes: readonly Lexeme[], at: number): Found | null {
  if (!isStart(lexemes, at)) return null;
  const address = addressAt(lexemes, at);
  const end = address ?? chunkEnd(lexemes, at);
  if (end <= at) return null;
  const text = textBetween(lexemes, at, end);
  const isId = address !== null || looksLikeId(lexemes, { at, end, text });
  return isId ? { kind: 'id', readings: [{ kind: 'id', key: idKey(text) }], next: end } : null;
}

/** An id as ids are compared: `SKU-123`, `sku_123` and `SKU 123` are one. */
export function idKey(text: string): string {
  return text
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '')
    .replaceAll(/[-_ #‐‑]/g, '');
}

/** True: what stands before does not belong to what begins here. */
export function isStart(lexemes: readonly Lexeme[], at: number): boolean {
  const before = lexemes[at - 1];
  return before === undefined || before.kind === 'space' || (before.kind === 'mark' && !WITHIN.includes(before.text));
}

/** The end of what stands together without a space, marks at its end aside. */
export function chunkEnd(lexemes: readonly Lexeme[], at: number): number {
  let end = at;
  const last = Math.min(lexemes.length, at + LONGEST);
  while (
    end < last &&
    (lexemes[end]?.kind === 'word' || lexemes[end]?.kind === 'digits' || isMark(lexemes[end], WITHIN))
  ) {
    end++;
  }
  while (end > at && lexemes[end - 1]?.kind === 'mark') end--;
  return end;
}

function addressAt(lexemes: readonly Lexeme[], at: number): number | null {
  const isAddress = lexemes[at]?.text.startsWith('http') === true && textBetween(lexemes, at + 1, at + 4) === '://';
  if (!isAddress) return null;
  let end = at;
  const last = Math.min(lexemes.length, at + 4 * LONGEST);
  while (end < last && lexemes[end]?.kind !== 'space' && !isMark(lexemes[end], '"\'<>()[]')) end++;
  while (end > at && isMark(lexemes[end - 1], '.,;:!?')) end--;
  return end;
}

interface Chunk {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

function looksLikeId(lexemes: readonly Lexeme[], { at, end, text }: Chunk): boolean {
  const hasLetter = /\p{L}/u.test(text);
  if (/^#\d+$/.test(text)) return true;
  if (!hasLetter || BEFORE_YEARS.test(text)) return false;
  if (/^[^@]+@[^@]+\.\p{L}{2,}$/u.test(text)) return true;
  if (!/\d/.test(text))
    return (
      /^\p{L}{2,}(?:[-_]\p{L}+){0,8}\.\p{Ll}{2,5}$/u.test(text) ||
      /\p{L}_\p{L}/u.test(text) ||
      /^\.?\/\p{L}/u.test(text)
    );
  if (lexemes[at]?.kind !== 'digits') return true;
  // `5km`, `30-day` and `2nd` are amounts.
  const amount = readAmount(lexemes, at);
  if (amount !== null && amount.next >= end) return false;
  return /\p{Lu}/u.test(text) || /\d\p{L}+[-_.]?\d/u.test(text);
}
