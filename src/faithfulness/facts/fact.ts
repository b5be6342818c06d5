import type { FactKind } from '../../types/faithfulness/support-report.ts';

/** What a claim says about how near a number is meant. */
export type Hedge = 'about' | 'over' | 'under';

/** A number as it is written. */
export interface Amount {
  readonly value: number;
  /** The place of its last digit that is not 0 at the end: 100 for 1,200, and 0.1 for 1.5. */
  readonly step: number;
}

/** One way to read what stands there. Some notations have several: `01/02/2024`, `1.234`. */
export type Reading =
  | { readonly kind: 'number'; readonly amount: Amount }
  | {
      readonly kind: 'quantity';
      /** What it measures, such as `length`; `percent`; a currency. Values of one dimension are compared. */
      readonly dimension: string;
      /** As written. */
      readonly amount: Amount;
      /** How many of the dimension's own unit one of this unit is. */
      readonly factor: number;
      /** Added after the factor. */
      readonly offset: number;
      /** Units of different systems are never converted without rounding. */
      readonly system: 'metric' | 'imperial';
      /** True: a rate says it: `5 €` of `5 € per month`. It answers for what names no rate, and never for another one. */
      readonly ofRate?: true;
    }
  | {
      readonly kind: 'date';
      readonly year: number | null;
      /** True: the year has two digits. */
      readonly isShort: boolean;
      /** From 1. */
      readonly month: number | null;
      readonly day: number | null;
      /** From 0, Sunday. */
      readonly weekday: number | null;
    }
  | {
      readonly kind: 'time';
      /** Since midnight. */
      readonly seconds: number;
      /** True: it may be meant of the afternoon as well. */
      readonly isHalfDay: boolean;
    }
  /** Folded words: all parts occur, each as it stands. */
  | { readonly kind: 'quote'; readonly parts: readonly (readonly string[])[] }
  /** Folded words that stand close together, in any order. */
  | { readonly kind: 'name'; readonly words: readonly string[] }
  /** What the first letters of a name make, in lower case. */
  | { readonly kind: 'initials'; readonly letters: string }
  | { readonly kind: 'id'; readonly key: string };

/** Something that a text says, and that another text may hold. */
export interface Fact {
  readonly kind: FactKind;
  readonly text: string;
  /** At least one. */
  readonly readings: readonly Reading[];
  /** Null: it is meant as it stands. */
  readonly hedge: Hedge | null;
  /** True: too ordinary a word to be asked for; it may answer for a number all the same. */
  readonly isWeak: boolean;
}

/** A fact that begins at a position, and the position behind it. */
export interface Found {
  readonly kind: FactKind;
  readonly readings: readonly Reading[];
  readonly next: number;
  readonly isWeak?: boolean;
}
