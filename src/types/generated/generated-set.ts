import type { JsonObject } from '../json.ts';
import type { Count } from '../numbers.ts';
import type { DefinitionBase } from '../suite-base.ts';

/** Changes of a scenario that must not change what becomes of it. */
export const RELATIONS = ['renamed_ids', 'permuted_turns', 'irrelevant_context'] as const;
export type Relation = (typeof RELATIONS)[number];

/**
 * Why a generated scenario is thrown out. `threw`: its generator threw or did not end. `impure`: the same seed gave another
 * scenario. `invalid`: it does not load. `null_passes`, `echo_passes`: who does nothing, or repeats what it hears, passes it.
 * `gold_fails`: its own gold plan fails it. `double`: it is the same as an earlier one.
 */
export const REJECTIONS = ['threw', 'impure', 'invalid', 'null_passes', 'echo_passes', 'gold_fails', 'double'] as const;
export type Rejection = (typeof REJECTIONS)[number];

/** A scenario that was generated and thrown out. */
export interface RejectedScenario {
  /** Which one of the set, from 0. */
  readonly n: Count;
  /** The seed of the candidate. */
  readonly seed: Count;
  /** How it was changed; absent: not at all. */
  readonly relation?: Relation;
  /** Why the candidate was rejected. */
  readonly reason: Rejection;
  /** In words. */
  readonly detail: string;
}

/** The scenarios that one file has generated. Plain data, so that shards carry it. */
export interface GeneratedSet extends DefinitionBase {
  readonly kind: 'generated';
  /** The word of its generator. */
  readonly family: string;
  /** What all of it is drawn from. */
  readonly seed: Count;
  /** The ISO week that gave the seed; absent: the file says the seed. */
  readonly week?: string;
  /** Scenarios that were asked for. */
  readonly asked: Count;
  /** Scenarios that were generated to get them, without changed ones. */
  readonly drawn: Count;
  /** The candidates that were rejected. */
  readonly rejected: readonly RejectedScenario[];
  /** Changes that were asked for. */
  readonly relations: readonly Relation[];
  /** SHA-256 of the canonical bytes of all that stands, scenarios and oracles, in hexadecimal. */
  readonly hash: string;
}

/** A document that was generated, with what its file says beside it. */
export interface GeneratedDocument {
  /** Name of its set. */
  readonly set: string;
  /** Its own name. */
  readonly name: string;
  readonly data: JsonObject;
}

/** Where a scenario stands in a generated set. */
export interface GeneratedPlace {
  /** Which one of the set, from 0. */
  readonly n: Count;
  /** What it was generated from. */
  readonly seed: Count;
  /** How it was changed; absent: not at all. */
  readonly relation?: Relation;
  /** Name of the scenario that it is a change of; absent: of none. */
  readonly original?: string;
}

/** Which generated set it was: two runs with one hash tried the same scenarios. */
export interface GeneratedSetHash {
  /** The name of the set. */
  readonly name: string;
  /** The file that generates the set. */
  readonly file: string;
  /** SHA-256, in hexadecimal. */
  readonly hash: string;
}

/** What became of one generated set. */
export interface GeneratedReport extends Omit<GeneratedSet, 'kind' | 'price' | 'unrun' | 'relations'> {
  /** Generated scenarios that stand, without changed ones. */
  readonly stands: Count;
  /** The metamorphic relations that were tried. */
  readonly relations: readonly RelationReport[];
}

/** How scenarios and the same ones with one change came out. */
export interface RelationReport {
  /** The metamorphic relation. */
  readonly relation: Relation;
  /** Pairs of which both were run. */
  readonly pairs: Count;
  /** The pairs that disagree. */
  readonly disagreements: readonly Disagreement[];
}

/** A pair whose outcomes differ. */
export interface Disagreement {
  /** The scenario as it was generated. */
  readonly original: PairSide;
  /** The scenario after the change. */
  readonly changed: PairSide;
}

export interface PairSide {
  /** The name of the scenario. */
  readonly scenario: string;
  /** Trials that passed. */
  readonly passed: Count;
  /** All trials that were counted. */
  readonly trials: Count;
}
