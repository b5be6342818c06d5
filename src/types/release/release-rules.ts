import type { Amount, Count, Proportion } from '../numbers.ts';
import type { SuiteName } from './origin.ts';

/** How much a release is trusted with, from least to most. */
export const TIERS = ['dev', 'internal', 'beta', 'production'] as const;

export type Tier = (typeof TIERS)[number];

/** What a release is judged by. They are never put together into one number. */
export const AXES = ['outcome', 'trajectory', 'faithfulness', 'cost', 'safety'] as const;

export type Axis = (typeof AXES)[number];

/** A share of traffic, and what must hold before the next one. */
export interface CanaryStage {
  readonly percent: Count;
  readonly criterion: string;
}

/** What a tier asks for. */
export interface TierRules {
  /** Trials of each scenario. */
  readonly trials: Count;
  /** Gate expressions on `suites.NAME`, for each axis that has some. */
  readonly outcome: readonly string[];
  readonly trajectory: readonly string[];
  readonly faithfulness: readonly string[];
  /** Greatest attack success rate; null: it is only reported. */
  readonly maxAttackSuccess: Proportion | null;
  /** Level of its one-sided bound. */
  readonly attackLevel: Proportion;
  /** True: each of the ten OWASP categories must be tried. */
  readonly owaspCoverage: boolean;
  /** Greatest share of trials that are errors. */
  readonly maxErrorRate: Proportion;
  /** The most that a success may cost, in USD; null: `costSlack` of the prior release, or it is only reported. */
  readonly maxCostPerSuccess: Amount | null;
  /** Times the cost per success of the prior release; null: cost is only reported. */
  readonly costSlack: Amount | null;
  /** Suites that must have a scenario. */
  readonly suites: readonly SuiteName[];
  /** True: each scenario must say which suite it belongs to, and validation scenarios be reviewed for this release. */
  readonly governed: boolean;
  /** Scenarios that the suite regression must have, at least and at most; null: any number. */
  readonly golden: readonly [Count, Count] | null;
  /** Days after which scenarios of a suite are stale. */
  readonly maxAgeDays: Readonly<Partial<Record<SuiteName, Count>>>;
  /** True: a model that may change under its name is refused; false: it is told. */
  readonly pinned: boolean;
  /** True: rules on the trajectory decide, too. */
  readonly allowTrajectoryGate: boolean;
  /** Stages of the canary, as shares of traffic in percent; []: none is needed. */
  readonly canary: readonly Count[];
}

/** `[release]` of a configuration file. */
export interface ReleaseSettings {
  readonly candidate?: { readonly name?: string; readonly version?: string };
  /** The release that reviews must name. */
  readonly id?: string;
  readonly tier?: Tier;
  /** File with the prices, relative to the configuration file. */
  readonly rates?: string;
  /** File of the audit log, relative to the configuration file. */
  readonly log?: string;
  /** The model that plays each role in the candidate. */
  readonly models?: Readonly<Record<string, string>>;
  readonly canary?: readonly CanaryStage[];
  /** Rules of tiers, in place of their defaults. */
  readonly tiers?: Readonly<Partial<Record<Tier, Partial<TierRules>>>>;
}
