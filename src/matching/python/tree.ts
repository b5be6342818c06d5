/** A pattern as far as "does it occur in this text" depends on it: no captures, no preference for short or long. */
export type PatternNode =
  | OneCharacter
  | { readonly kind: 'at'; readonly place: Place }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  /** `most` null: without end. */
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly least: number; readonly most: number | null }
  | { readonly kind: 'case'; readonly body: PatternNode; readonly ignored: boolean }
  | Look;

/** Exactly one character, in RE2 syntax; `inverse`: any other one. */
export interface OneCharacter {
  readonly kind: 'one';
  readonly source: string;
  readonly inverse: string;
}

/** `end`: at the end, or before a line break that ends the text. Words are of ASCII. */
export type Place = 'start' | 'end' | 'textEnd' | 'lineStart' | 'lineEnd' | 'word' | 'notWord';

export interface Look {
  readonly kind: 'look';
  readonly behind: boolean;
  /** What must not be there. */
  readonly negated: boolean;
  readonly body: PatternNode;
}

/** Why a pattern cannot be taken. */
export class PatternProblem extends Error {
  /** True: it is no pattern at all. False: it is one that we have no linear search for. */
  readonly isSyntax: boolean;

  constructor(reason: string, isSyntax = true) {
    super(reason);
    this.isSyntax = isSyntax;
  }
}
