import type { StateValue } from '../value-test.ts';
import type { Count } from '../numbers.ts';

/** In order and number, in number, none besides, all of them, all of them in order. */
export const TRAJECTORY_MATCHES = ['strict', 'unordered', 'subset', 'superset', 'in-order'] as const;

export type TrajectoryMatch = (typeof TRAJECTORY_MATCHES)[number];

export const ARGUMENT_MATCHES = ['exact', 'ignore', 'subset', 'superset'] as const;

/** How arguments are compared; a list of fields: these alone. A dot leads into an object. */
export type ArgumentMatch = (typeof ARGUMENT_MATCHES)[number] | readonly string[];

/** Where calls first leave those that are right. */
export interface Divergence {
  /** Position of the call that was not expected, or that may have been meant for the gold one; null: there is none. */
  readonly call: Count | null;
  /** Position of the gold call that was not made; null: none is missing. */
  readonly gold: Count | null;
}

/** How calls follow those that are right. */
export type TrajectoryTerms = Omit<GoldExpectation, 'counts'>;

/** How the arguments of one gold call are compared. */
export interface GoldCallTerms {
  /** Absent: as the terms say of its tool, or of all. */
  readonly args?: ArgumentMatch;
  /** Tests of places in the arguments, in place of comparing what stands there. */
  readonly where: readonly StateValue[];
}

export interface GoldExpectation {
  /** How the calls must match the gold calls. */
  readonly match: TrajectoryMatch;
  /** How arguments are compared. */
  readonly args: ArgumentMatch;
  /** In place of `args`, by tool. */
  readonly tools: Readonly<Record<string, ArgumentMatch>>;
  /** What single gold calls say of their arguments, by their position; absent: none says anything. */
  readonly calls?: readonly GoldCallTerms[];
  /** True: a trial that differs fails. False: it is counted. */
  readonly counts: boolean;
}
