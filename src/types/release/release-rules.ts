import type { Amount, Count, Proportion } from '../numbers.ts';
import type { LedgerKind } from '../record.ts';
import type { SuiteName } from './origin.ts';

/** How much a release is trusted with, from least to most. */
export const TIERS = ['dev', 'internal', 'beta', 'production'] as const;

/** How far a release may go. */
export type Tier = (typeof TIERS)[number];

/** What a release is judged by. They are never put together into one number. */
export const AXES = ['outcome', 'trajectory', 'faithfulness', 'cost', 'safety'] as const;

/** What a release is judged by. */
export type Axis = (typeof AXES)[number];

/** A share of traffic, and what must hold before the next one. */
export interface CanaryStage {
  /** The share of traffic, in percent. */
  readonly percent: Count;
  /** When the stage is passed, in words. */
  readonly criterion: string;
}

/** What a tier asks for. */
export interface TierRules {
  /** Trials of each scenario. */
  readonly trials: Count;
  /** Gate expressions on `suites.NAME`, for each axis that has some. */
  readonly outcome: readonly string[];
  /** The same for the axis `trajectory`. */
  readonly trajectory: readonly string[];
  /** The same for the axis `faithfulness`. */
  readonly faithfulness: readonly string[];
  /** Greatest share of scenarios that a subject which can do nothing may pass; null: it is only told. */
  readonly maxTrivial: Proportion | null;
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

/** An export of what a provider billed, and how it is read. */
export interface BillingExport {
  /** CSV, or JSON with a list of rows. */
  readonly file: string;
  /** The column of what is billed, in USD; default `cost`. In JSON names of nested values have dots. */
  readonly amount?: string;
  /** The column of the currency, of which each row must have USD; default `currency`, where there is such a column. */
  readonly currency?: string;
  /** Only rows that have this text in this column count. */
  readonly only?: Readonly<Record<string, string>>;
  /** The column of what a row is for, such as a model; absent: only sums are compared. */
  readonly item?: string;
  /** The name in the ledger of what the bill calls otherwise. */
  readonly items?: Readonly<Record<string, string>>;
  /** Kinds of lines of the ledger that the bill covers; default models, judges and simulated users. */
  readonly kinds?: readonly LedgerKind[];
  /** Share of the bill by which the ledger may differ; default 0.05. */
  readonly tolerance?: Proportion;
}

/** `[release]` of a configuration file. */
export interface ReleaseSettings {
  /** What is released. */
  readonly candidate?: {
    /** Name of the candidate. */
    readonly name?: string;
    /** Version of the candidate. */
    readonly version?: string;
  };
  /** The release that reviews must name. */
  readonly id?: string;
  /** The tier that is asked for. */
  readonly tier?: Tier;
  /** File with the prices, relative to the configuration file. */
  readonly rates?: string;
  /** What was billed; its file is relative to the configuration file. */
  readonly billing?: BillingExport;
  /** File of the audit log, relative to the configuration file. */
  readonly log?: string;
  /** File that gets an issue for each thing that fails, relative to the configuration file. */
  readonly issueSink?: string;
  /** The model that plays each role in the candidate. */
  readonly models?: Readonly<Record<string, string>>;
  /** Stages of the rollout that the record prescribes. */
  readonly canary?: readonly CanaryStage[];
  /** Rules of tiers, in place of their defaults. */
  readonly tiers?: Readonly<Partial<Record<Tier, Partial<TierRules>>>>;
}
