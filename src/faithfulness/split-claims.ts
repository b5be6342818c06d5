import { foldWord, type Lexeme, lexemesOf } from './facts/lexemes.ts';
import { MONTHS } from './facts/calendar-words.ts';

/** Words that a full stop shortens, without their own stops. */
const SHORTENED = new Set(
  [
    'mr mrs ms dr prof st vs etc approx no nos fig figs inc ltd co corp dept est al cf viz vol pp sec art ch jr sr gen col sgt rev hon',
    'jan feb mar apr jun jul aug sept sep oct nov dec janv fevr fev avr juil okt dez mon tue wed thu fri sat sun',
    'bzw ca evtl ggf inkl nr str tel usw vgl zzgl abs mio mrd tsd std max min hr fr geb',
    'env mme mlle av bd ed art chap',
  ].flatMap((line) => line.split(' ')),
);
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
]);
/** Pieces of the longest quotation that keeps a claim together. */
const LONGEST_QUOTE = 400;

/**
 * The claims of an answer: its sentences, and the items of its lists. Questions claim nothing. Takes time in proportion to
 * the answer.
 */
export function splitClaims(answer: string): readonly string[] {
  return paragraphs(answer)
    .flatMap((text) => sentences(lexemesOf(text)))
    .map((text) => text.trim())
    .filter((text) => /[\p{L}\p{N}]/u.test(text) && !/\?["”’)\s]*$/u.test(text));
}

/** Lines, where the break means something: prose that was only wrapped is put together again. */
function paragraphs(answer: string): readonly string[] {
  const found: string[] = [];
  let isOpen = false;
  for (const line of answer.split(/\r?\n/)) {
    const bare = line.trim();
    const item = /^(?:[-*•–]|#{1,6}|>|\d{1,3}[.)])\s+/.exec(bare)?.[0] ?? '';
    const text = bare.slice(item.length).replaceAll(/\*\*|__/g, '');
    const last = found.at(-1);
    if (isOpen && item === '' && last !== undefined && /^\p{Ll}/u.test(text))
      found[found.length - 1] = `${last} ${text}`;
    else if (text !== '') found.push(text);
    isOpen = /[\p{L}\p{N},;–-]$/u.test(text);
  }
  return found;
}

function sentences(lexemes: readonly Lexeme[]): readonly string[] {
  const found: string[] = [];
  let from = 0;
  let at = 0;
  const take = (to: number): void => {
    found.push(
      lexemes
        .slice(from, to)
        .map(({ text }) => text)
        .join(''),
    );
    from = to;
  };
  while (at < lexemes.length) {
    const quote = quoteEnd(lexemes, at);
    if (quote !== null) {
      // A sentence that ends within its quotation.
      if (isEnd(lexemes[quote - 1]) && beginsAnew(lexemes, quote + 1)) take(quote + 1);
      at = quote + 1;
      continue;
    }
    if (isEnd(lexemes[at]) && !isShortening(lexemes, at)) {
      let to = at + 1;
      while (to < lexemes.length && /^["”’')\]»!?.…]$/u.test(lexemes[to]?.text ?? '')) to++;
      if (beginsAnew(lexemes, to)) take(to);
      at = to;
      continue;
    }
    at++;
  }
  take(lexemes.length);
  return found;
}

function isEnd(lexeme: Lexeme | undefined): boolean {
  return lexeme?.kind === 'mark' && '.!?…。！？'.includes(lexeme.text);
}

/** White space, and then what may begin a sentence. */
function beginsAnew(lexemes: readonly Lexeme[], at: number): boolean {
  const next = lexemes[at + 1];
  if (lexemes[at]?.kind !== 'space' || next === undefined) return false;
  return next.kind !== 'word' || !/^\p{Ll}/u.test(next.text) || /^\p{Ll}\p{Lu}/u.test(next.text);
}

/** True for `Dr.`, `e.g.`, `J.`, and for the day in `15. Januar`. */
function isShortening(lexemes: readonly Lexeme[], at: number): boolean {
  if (lexemes[at]?.text !== '.') return false;
  const before = lexemes[at - 1];
  const after = lexemes[at + 2];
  if (before?.kind === 'digits') {
    const isMonth = after?.kind === 'word' && MONTHS.has(foldWord(after.text));
    return isMonth || (before.text.length <= 2 && after?.kind === 'word' && /^(?:und|oder|bis)$/.test(after.text));
  }
  if (before?.kind !== 'word') return false;
  // `z. B.`, `U.S.`, `J. R. R. Tolkien`
  if (before.text.length === 1) return !/^(?:I|a)$/.test(before.text) || lexemes[at - 2]?.text === '.';
  return (
    SHORTENED.has(foldWord(before.text)) &&
    !(
      before.text.length > 2 &&
      before.text === before.text.toLowerCase() &&
      after?.kind === 'word' &&
      ENDING.has(before.text)
    )
  );
}

/** Shortened words that end a sentence as well as they stand within one. */
const ENDING = new Set(['etc', 'usw', 'no', 'max', 'min', 'sat', 'sun', 'est', 'co', 'art']);

function quoteEnd(lexemes: readonly Lexeme[], at: number): number | null {
  const closing = QUOTES.get(lexemes[at]?.text ?? '');
  const isStraight =
    lexemes[at]?.text === '"' && lexemes[at + 1]?.kind !== 'space' && lexemes[at - 1]?.kind !== 'digits';
  if (closing === undefined && !isStraight) return null;
  const last = Math.min(lexemes.length, at + LONGEST_QUOTE);
  for (let to = at + 1; to < last; to++) {
    if (lexemes[to]?.text === (closing ?? '"')) return to;
  }
  return null;
}
