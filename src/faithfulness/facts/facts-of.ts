import type { Fact, Found, Hedge } from './fact.ts';
import { isGerman } from './common-words.ts';
import { hedgeBefore } from './hedges.ts';
import { foldWord, isMark, type Lexeme, lexemesOf, textBetween } from './lexemes.ts';
import { joinDurations, type PlacedFact } from './join-durations.ts';
import { readAmount } from './read-amount.ts';
import { readDate } from './read-date.ts';
import { readId } from './read-id.ts';
import { readName } from './read-name.ts';
import { readNumeral } from './read-numeral.ts';
import { readQuote } from './read-quote.ts';
import { readTime } from './read-time.ts';

/** What a claim says that can be looked for, in order. Takes time in proportion to the claim. */
export function claimFacts(claim: string): readonly Fact[] {
  const lexemes = lexemesOf(claim);
  const words = lexemes.filter(({ kind }) => kind === 'word').map(({ text }) => foldWord(text));
  const german = isGerman(words);
  const isShouted = isMostlyCapitals(claim);
  const placed: PlacedFact[] = [];
  let isStart = true;
  let at = 0;
  while (at < lexemes.length) {
    const found =
      readQuote(lexemes, at) ??
      amountOrId(lexemes, at) ??
      (lexemes[at]?.kind === 'word' && lexemes[at - 1]?.kind !== 'word' && !isShouted
        ? readName(lexemes, at, { isGerman: german, isStart })
        : null);
    if (found !== null) {
      if (found.readings.length > 0) placed.push({ fact: factOf(lexemes, at, found), from: at, to: found.next });
      isStart = false;
      at = found.next;
      continue;
    }
    isStart = startsAfter(lexemes[at], isStart);
    at++;
  }
  return joinDurations(placed, lexemes).map(({ fact }) => fact);
}

/** Numbers, quantities, dates and times of a context. Its words are looked for where they stand. */
export function contextFacts(lexemes: readonly Lexeme[]): readonly Fact[] {
  const placed: PlacedFact[] = [];
  let at = 0;
  while (at < lexemes.length) {
    const found = amountAt(lexemes, at);
    if (found !== null) placed.push({ fact: factOf(lexemes, at, found), from: at, to: found.next });
    at = found?.next ?? at + 1;
  }
  const joined = joinDurations(placed, lexemes);
  const alone = new Set(placed);
  return [...placed, ...joined.filter((one) => !alone.has(one))].map(({ fact }) => fact);
}

function amountOrId(lexemes: readonly Lexeme[], at: number): Found | null {
  const moment = readDate(lexemes, at) ?? readTime(lexemes, at);
  return moment ?? readId(lexemes, at) ?? amountAt(lexemes, at);
}

function amountAt(lexemes: readonly Lexeme[], at: number): Found | null {
  const moment = readDate(lexemes, at) ?? readTime(lexemes, at);
  if (moment !== null) return moment;
  const isTouching = lexemes[at - 1]?.kind === 'word' && lexemes[at]?.kind === 'word';
  const amount = isTouching ? null : readAmount(lexemes, at);
  if (amount !== null || lexemes[at]?.kind !== 'digits') return amount;
  // Digits that are no number: `007`, `192.168.0.1`.
  const { next } = readNumeral(lexemes, at);
  const key = textBetween(lexemes, at, next);
  return { kind: 'id', readings: [{ kind: 'id', key }], next };
}

function factOf(lexemes: readonly Lexeme[], at: number, { kind, readings, next, isWeak }: Found): Fact {
  const hedge: Hedge | null = kind === 'number' || kind === 'quantity' ? hedgeBefore(lexemes, at) : null;
  return { kind, text: textBetween(lexemes, at, next), readings, hedge, isWeak: isWeak === true };
}

/** A sentence begins at the beginning of the claim, and behind a colon. */
function startsAfter(lexeme: Lexeme | undefined, isStart: boolean): boolean {
  if (isMark(lexeme, ':')) return true;
  return isStart && (lexeme?.kind === 'space' || lexeme?.kind === 'mark');
}

function isMostlyCapitals(claim: string): boolean {
  const letters = claim.match(/\p{L}/gu)?.length ?? 0;
  const capitals = claim.match(/\p{Lu}/gu)?.length ?? 0;
  return letters > 12 && capitals > 0.6 * letters;
}
