import type { Count, Proportion } from '../numbers.ts';
import type { SuiteName } from '../release/origin.ts';

export const GATE_OPERATORS = ['>=', '>', '<=', '<', '=='] as const;

/** How a measure and its bar are compared. */
export type GateOperator = (typeof GATE_OPERATORS)[number];

/** What cells of a matrix are called by, so that gates can ask about some of them. */
export const CELL_NAMES = ['plugin', 'model', 'test'] as const;

export type CellName = (typeof CELL_NAMES)[number];

/** The row, the column and the matrix of a cell, or those of them that a gate names. */
export type CellNames = Readonly<Partial<Record<CellName, string>>>;

/**
 * What a gate is asked of: each scenario and cell in turn, one of them, the cells of these names as a whole, the scenarios
 * of one part of the test material as a whole, or the suite.
 */
export type GateScope =
  | { readonly kind: 'every' }
  | {
      readonly kind: 'scenario';
      /** Name of the scenario. */
      readonly name: string;
    }
  | {
      readonly kind: 'cells';
      /** Names of the cells. */
      readonly names: CellNames;
    }
  | {
      readonly kind: 'partition';
      /** Name of the suite. */
      readonly name: SuiteName;
    }
  | { readonly kind: 'suite' };

/** What is compared: the measured value, or an end of its two-sided confidence interval. */
export type GateSide =
  | {
      readonly kind: 'point';
    }
  | {
      /** Which bound is compared. */
      readonly kind: 'lower' | 'upper';
      /** Confidence of the bound, such as 0.95. */
      readonly level: Proportion;
      /** `these`: for more trials of the same scenarios; `population`: for scenarios like these, of which they are a sample. */
      readonly about: 'these' | 'population';
    };

/** A condition that a run must meet, such as `pass_rate.lower(0.95) >= 0.9`. */
export interface Gate {
  /** As written. */
  readonly text: string;
  /** A name of the metric table, without its number: `pass^` for `pass^8`. */
  readonly metric: string;
  /** The k of `pass^k` and `pass@k`; null for other metrics. */
  readonly k: Count | null;
  /** What of the run it looks at. */
  readonly scope: GateScope;
  /** Whether a bound or the measure itself is compared. */
  readonly side: GateSide;
  /** How the two are compared. */
  readonly operator: GateOperator;
  /** The bar. */
  readonly value: number;
}

/** Why a text is no gate, with its place; the caller knows where the text stands. */
export interface GateProblem {
  readonly code:
    | 'empty_gate'
    | 'unknown_metric'
    | 'unknown_scope'
    | 'unknown_scenario'
    | 'unknown_cell'
    | 'unknown_side'
    | 'unknown_operator'
    | 'bad_k'
    | 'bad_level'
    | 'bad_population'
    | 'bad_value'
    | 'no_interval'
    | 'never_passes'
    | 'text_after_gate';
  /** What is wrong, one sentence. */
  readonly message: string;
  /** Characters from 1; the end is exclusive. */
  readonly column: number;
  readonly endColumn: number;
  /** The wrong word, and the words that would do: for "did you mean". */
  readonly word: string;
  readonly candidates: readonly string[];
  /** What to write instead, where that is sure. */
  readonly hint?: string;
}

/** `insufficient`: there is too little evidence for either of the others. */
export type GateVerdict = 'pass' | 'fail' | 'insufficient';

/** A gate's answer for one scenario or cell, for some cells as a whole, or for the suite. */
export interface GateResult {
  /** Null: the suite, or the cells that the gate names. */
  readonly scenario: string | null;
  /** `insufficient`: the measure could not be computed. */
  readonly verdict: GateVerdict;
  /** What was compared; null when it does not exist. */
  readonly value: number | null;
  /** What it would be were trials that are broken or did not run to fail, and to pass; null: without limit. */
  readonly low: number | null;
  /** What it would be were such trials to pass; null: without limit. */
  readonly high: number | null;
  /** The interval whose end is compared; an upper end of null is without limit. Null: a number is compared, or nothing. */
  readonly interval: readonly [number, number | null] | null;
  /** The number and the bar, one sentence. */
  readonly reason: string;
}

/** A gate's answer for a run. */
export interface GateJudgement {
  /** The gate that was judged. */
  readonly gate: Gate;
  /** The worst of its results: fail, then insufficient, then pass. */
  readonly verdict: GateVerdict;
  /** One sentence over all results. */
  readonly reason: string;
  /** In plan order. */
  readonly results: readonly GateResult[];
}

/** A gate of a report: its answer, and what it could tell. */
export interface GateExpression extends GateJudgement {
  /** Which results of the planned trials pass and how often true pass rates do, one sentence each; [] where unknown. */
  readonly tells: readonly string[];
}

/** How likely a gate lets a true pass rate through. */
export interface GateChance {
  /** True pass rate of every trial. */
  readonly rate: Proportion;
  /** The chance of passing the gate at this rate. */
  readonly chance: Proportion;
}

/** Trials of each scenario with which both errors are as rare as wanted, and how rare they are. */
export interface NeededTrials {
  /** The trials to plan. */
  readonly trials: Count;
  /** The chance that a bad candidate passes. */
  readonly falsePass: Proportion;
  /** The chance that a good candidate fails. */
  readonly falseFail: Proportion;
  /** Larger numbers, up to `lookedTo`, that do not keep the wanted errors; null: all of them do. */
  readonly lapses: {
    /** How many larger numbers of trials miss an error rate. */
    readonly count: Count;
    /** The largest of these numbers. */
    readonly last: Count;
    /** The one that misses most, and how likely the error is that it makes too often. */
    readonly worst: {
      /** The number of trials that misses by most. */
      readonly trials: Count;
      /** Which error rate it misses. */
      readonly error: 'falsePass' | 'falseFail';
      /** The chance of that error. */
      readonly chance: Proportion;
    };
  } | null;
  /** The largest number of trials that was tried. */
  readonly lookedTo: Count;
}

/** What a gate can and cannot tell with a planned number of trials. */
export interface GateDescription {
  /** The gate that is described. */
  readonly gate: Gate;
  /** Trials of each scenario. */
  readonly trials: Count;
  /** Scenarios that it looks at. */
  readonly scenarios: Count;
  /** Pass counts that pass (of the suite's trials where the gate is asked of the suite); null: none, or no such thing. */
  readonly passing: readonly [least: Count, most: Count] | null;
  /** The operating characteristic, ascending by rate; [] where it does not depend on the pass rate alone. */
  readonly characteristic: readonly GateChance[];
  /** Trials of each scenario for the wanted error rates; null when no number does, or where it has no meaning. */
  readonly needed:
    | (NeededTrials & {
        /** The rate that should fail. */
        readonly bad: Proportion;
        /** The rate that should pass. */
        readonly good: Proportion;
      })
    | null;
  /** The same in words, one sentence each. */
  readonly sentences: readonly string[];
}
