import type { Hedge } from './fact.ts';
import { foldWord, type Lexeme } from './lexemes.ts';

const HEDGES: ReadonlyMap<string, Hedge> = new Map([
  ...named(
    'about',
    'about|around|roughly|approximately|approx|circa|ca|some|etwa|rund|ungefahr|circa|environ|near to|close to',
  ),
  ...named('over', 'over|more than|at least|above|exceeding|uber|mehr als|mindestens|gut|plus de|au moins'),
  ...named(
    'under',
    'under|less than|almost|nearly|below|fast|knapp|unter|weniger als|presque|pres de|moins de|just under',
  ),
]);

/** What the words before a number say about how near it is meant; null: it is meant as it stands. */
export function hedgeBefore(lexemes: readonly Lexeme[], at: number): Hedge | null {
  const words: string[] = [];
  for (let here = at - 1; here >= 0 && here >= at - 6 && words.length < 2; here--) {
    const lexeme = lexemes[here];
    if (lexeme?.kind === 'word') words.unshift(foldWord(lexeme.text));
    else if (lexeme?.text === '~' || lexeme?.text === '≈') return 'about';
    else if (lexeme?.kind === 'digits') break;
  }
  return HEDGES.get(words.join(' ')) ?? HEDGES.get(words.at(-1) ?? '') ?? null;
}

function named(hedge: Hedge, words: string): readonly (readonly [string, Hedge])[] {
  return words.split('|').map((word) => [word, hedge]);
}
