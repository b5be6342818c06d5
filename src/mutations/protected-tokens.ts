/** Words that turn a message around, or say how many: nothing that keeps meaning may touch them. */
const NEGATIONS = 'no not never none nobody nothing nowhere neither nor without cannot unless except hardly';
const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half ' +
  'quarter double twice once first second third fourth fifth sixth seventh eighth ninth tenth last';

const PROTECTED = new Set(`${NEGATIONS} ${NUMBERS}`.split(' '));
const NEGATING = new Set(NEGATIONS.split(' '));
const COUNTING = new Set(NUMBERS.split(' '));

/** A word of at least three small letters, and what punctuation may follow it. */
const PLAIN_WORD = /^([a-z]{3,})([.,!?;:]*)$/;

/** An ordinary word: its letters, and the punctuation behind it. */
export interface OrdinaryWord {
  readonly letters: string;
  readonly end: string;
}

/**
 * The ordinary word that a token is, which a mutation may respell; null: it may not be touched. Whatever has a digit, a sign,
 * a capital or a letter beyond a–z counts as a number or a name, since nobody can tell that it is none.
 */
export function ordinaryWord(token: string): OrdinaryWord | null {
  const [, letters, end = ''] = PLAIN_WORD.exec(token) ?? [];
  return letters === undefined || PROTECTED.has(letters) ? null : { letters, end };
}

/** A negation, or a number in words. */
export function isProtectedWord(word: string): boolean {
  return PROTECTED.has(word.toLowerCase());
}

/** The tokens of a text that mutations that keep meaning never touch: numbers, names, negations and whatever could be one. */
export function protectedTokens(text: string): readonly string[] {
  return tokensOf(text).filter((token) => !/^[a-z]+[.,!?;:]*$/.test(token) || PROTECTED.has(bare(token)));
}

/** Of these the numbers and negations, without what stands around them. */
export function numbersAndNegations(text: string): readonly string[] {
  return tokensOf(text).flatMap((token) => {
    const word = bare(token);
    const negates = NEGATING.has(word.toLowerCase()) || /n['’]t$/i.test(word);
    return /\d/.test(word) || negates || COUNTING.has(word.toLowerCase()) ? [word] : [];
  });
}

function tokensOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((token) => token !== '');
}

function bare(token: string): string {
  return token.replace(/[.,!?;:]+$/, '');
}
