import type { Mark } from './section.ts';

/**
 * A part of the report about the whole run, such as its drift. All texts are harmless but names; heads hold names as plain
 * text.
 */
export interface Panel {
  readonly title: string;
  /** Whether the headline needs the title: it stands before the headline where no title stands above it. */
  readonly isTitled: boolean;
  /** True: its title or headline hold names from elsewhere, which a reader of Markdown might take for markup. */
  readonly namesHead?: true;
  /** Null: the panel judges nothing. */
  readonly mark: Mark | null;
  /** In words, for a reader who sees the title; one part is a sentence. */
  readonly headline: readonly string[];
  /** False where there are no numbers, and the headline says why. */
  readonly isTelling: boolean;
  /** Whether quiet reports show it too. */
  readonly isTrouble: boolean;
  readonly blocks: readonly PanelBlock[];
}

export type PanelBlock = Listing | Figures | Names | PanelNotes | Beside;

/** Rows in groups, the worst first. */
export interface Listing {
  readonly type: 'listing';
  /** What its rows are about, such as `scenario`; '': rows have no name. */
  readonly corner: string;
  /** What stands beside the names in a table: a mark, and parts. */
  readonly headers: readonly string[];
  readonly groups: readonly (readonly ListingRow[])[];
}

export interface ListingRow {
  readonly mark: Mark | null;
  /** Not escaped. '' where rows have no name. */
  readonly name: string;
  readonly parts: readonly string[];
  /** Lines below the row. */
  readonly lines: readonly string[];
  /** More of them, where reports have no tables: figures of the panel say the same; absent: none. */
  readonly untabled?: readonly string[];
  /** The trial of the scenario of that name that the last part speaks of; absent: none. */
  readonly trial?: number;
}

/** Rows of numbers: a table where there is room for one, else a sentence each. */
export interface Figures {
  readonly type: 'figures';
  /** What the two names of a row are. */
  readonly corners: readonly [string, string];
  readonly headers: readonly string[];
  /** True: its headers are names, and not escaped. */
  readonly namesHeaders?: boolean;
  readonly rows: readonly FigureRow[];
  /** The same numbers drawn; absent: there is no drawing. */
  readonly chart?: Chart;
}

/** What is drawn of figures. Every number in it stands in the figures, too. */
export type Chart =
  | {
      readonly type: 'gauges';
      /** One for each row; null: there is nothing to draw. */
      readonly gauges: readonly (Gauge | null)[];
    }
  | {
      readonly type: 'waterfall';
      /** The name of each bar, and where it begins and ends, from 0 to 1. Names are harmless. */
      readonly steps: readonly (readonly [name: string, from: number, to: number])[];
    }
  | {
      readonly type: 'reliability';
      /** The one who judges. Harmless. */
      readonly name: string;
      /** The least sure first. */
      readonly marks: readonly ReliabilityMark[];
    }
  | {
      readonly type: 'curves';
      /** The line of the subject comes first. Points have k and a value from 0 to 1. Names are harmless. */
      readonly lines: readonly { readonly name: string; readonly points: readonly (readonly [number, number])[] }[];
      /** Absent: values are shares from 0 to 1, over k from 1. */
      readonly axes?: {
        readonly x: Axis;
        readonly y: Axis;
        /** A k that is marked; null: none is. */
        readonly mark: { readonly k: number; readonly name: string } | null;
      };
    };

/** What items of which a judge was about as sure came to. Shares from 0 to 1. */
export interface ReliabilityMark {
  readonly confidence: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
  readonly items: number;
}

/** What stands beside an axis: its name, and numbers at places in the units of points. Harmless texts. */
export interface Axis {
  readonly name: string;
  readonly ticks: readonly (readonly [at: number, label: string])[];
}

/** A value within its interval, from 0 to 1. */
export interface Gauge {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The most that it may be; null: there is no such bar. */
  readonly bar: number | null;
}

export interface FigureRow {
  /** Not escaped. */
  readonly names: readonly [string, string];
  /** One for each header. */
  readonly cells: readonly string[];
  /** The second name and the numbers that are worth a word. Not escaped. []: the row is for tables alone. */
  readonly parts: readonly string[];
  /** True: another row sums it up, so that without a table only a `verbose` report has it; absent: it stands for itself. */
  readonly isSummed?: true;
}

/** Two trials of one task, row by row: what was said, called and answered. */
export interface Beside {
  readonly type: 'beside';
  /** The task, and what is to be said of it. */
  readonly about: ListingRow;
  /** Which trials. */
  readonly titles: readonly [before: string, now: string];
  readonly rows: readonly BesideRow[];
  /** Equal rows before these, and rows after them. */
  readonly earlier: number;
  readonly later: number;
}

export interface BesideRow {
  /** A word for what it is, and a harmless text; null: that trial has no more rows. */
  readonly before: readonly [label: string, text: string] | null;
  readonly now: readonly [label: string, text: string] | null;
  /** True: here the two differ first. */
  readonly isFirst: boolean;
  /** True: here, or further up. */
  readonly differs: boolean;
}

/** Names under a word. */
export interface Names {
  readonly type: 'names';
  readonly mark: Mark;
  /** Not escaped. */
  readonly names: readonly string[];
}

export interface PanelNotes {
  readonly type: 'notes';
  /**
   * `warning`: what to know before the panel is trusted. `noticed`: the same, and a notice of the report says it too.
   * `aside`: details.
   */
  readonly tone: 'warning' | 'noticed' | 'plain' | 'aside';
  readonly sentences: readonly string[];
}
