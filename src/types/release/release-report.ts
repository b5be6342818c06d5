import type { Amount, Count, Proportion } from '../numbers.ts';
import type { AxisResult, EvalBody } from './eval-body.ts';
import type { SuiteName } from './origin.ts';
import type { Axis } from './release-rules.ts';

/** What a release was found to be, as the report of its run shows it: axis by axis, and never as one number. */
export interface ReleaseReport
  extends Pick<EvalBody, 'tier' | 'release' | 'asOf' | 'verdict' | 'reasons' | 'cost' | 'governance'> {
  /** The name of the candidate. */
  readonly candidate: string;
  /** In their usual order. */
  readonly axes: readonly ReleaseAxis[];
  /** The release before; null: none was given. */
  readonly prior: string | null;
  /** Chance that k trials in a row all pass, over validation and regression. */
  readonly curve: readonly ReleaseCurvePoint[];
  /** Scenarios that pass less often than in the release before by more than chance, the worst first. */
  readonly regressions: readonly ReleaseRegression[];
}

export interface ReleaseAxis extends Pick<AxisResult, 'verdict' | 'isAdvisory' | 'reasons' | 'evidence'> {
  /** The axis. */
  readonly axis: Axis;
  /** Null: nothing was measured. */
  readonly figure: AxisFigure | null;
}

/** What was measured on an axis. */
export interface AxisFigure {
  /** In words. */
  readonly measure: string;
  /** The unit of the value. */
  readonly unit: 'share' | 'usd';
  /** The value. */
  readonly value: Amount;
  /** 95 %, or one-sided at the level of the rules for attacks; an upper end of null is without limit. */
  readonly interval: readonly [Amount, Amount | null] | null;
  /** The most that it may be; null: its rules say what it must be. */
  readonly most: Amount | null;
}

export interface ReleaseCurvePoint {
  /** The k of pass^k. */
  readonly k: Count;
  /** Null: too few trials. */
  readonly candidate: Proportion | null;
  /** pass^k of the release before; null: unknown. */
  readonly prior: Proportion | null;
}

export interface ReleaseRegression {
  /** The name of the scenario. */
  readonly name: string;
  /** The suite of the scenario. */
  readonly suite: SuiteName;
  /** Its trials in the release before. */
  readonly before: PassedOf;
  /** Its trials now. */
  readonly now: PassedOf;
  /** Of as few passes or fewer, if nothing had changed (Fisher's exact test). */
  readonly chance: Proportion;
  /** The lowest trial that failed; null: none did. */
  readonly firstFailure: Count | null;
}

export interface PassedOf {
  /** Trials that passed. */
  readonly passed: Count;
  /** All trials that were counted. */
  readonly trials: Count;
}
