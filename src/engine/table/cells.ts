import type { Json } from '../../types/json.ts';
import type { ErrorCategory, HttpResponse, StoppedBy, SubjectStatus } from '../../types/trial.ts';
import type { Route } from '../route.ts';
import type { Planned } from '../memo.ts';

// What a trial goes on with after a cell. Single constants, which bundles write into the hot loop as numbers; members of
// an object would be looked up on every visit.

/**
 * The model is asked; the served variant picks the next cell. Such a cell is not counted and not on the trail: whatever
 * answer it gets stands at a cell that is.
 */
export const ASK = 0;
/** The model is asked again: as `ASK`, at a cell that an answer led to. No other kind asks. */
export const ASK_AGAIN = 1;
/** One edge, always the same. */
export const GO = 2;
/** Loop budgets decide. */
export const CHOOSE = 3;
/** The trial has ended. */
export const END = 4;
/** Nothing the table knows: the trial is walked instead. */
export const LEAVE = 5;

export type CellKind = typeof ASK | typeof GO | typeof CHOOSE | typeof END | typeof LEAVE;

/** How a trial ends at a cell. */
export interface CellEnd {
  readonly status: SubjectStatus;
  readonly stoppedBy: StoppedBy;
  readonly reason: string | null;
  readonly category: ErrorCategory | null;
  readonly finalValue: Json;
  readonly errored: boolean;
}

/** What a cell says about a visit, before it is spread over arrays. */
export interface Cell {
  readonly kind: CellKind;
  readonly node: number;
  readonly planned: Planned;
  /** Id of the output to keep; 0: none. */
  readonly output: number;
  readonly next: number;
  /** The edge that is followed; −1: none, or not known before. */
  readonly edge: number;
  readonly route: Route | null;
  readonly end: CellEnd | null;
  readonly response: HttpResponse | null;
  /** What the model's answer that leads here brought; null: no answer leads here. */
  readonly reply: CellReply | null;
  /** What the node read derives from a model's answer. */
  readonly inputFromModel: boolean;
}

/** What one answer of the model adds to the trial's counters. */
export interface CellReply {
  /** Position in the row of all turns' variants. */
  readonly served: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** 0 for an error, which is not billed. */
  readonly calls: number;
  readonly repairs: number;
  readonly faults: number;
}
