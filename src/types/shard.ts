import type { AgentFacts } from './contract.ts';
import type { CheckPlaces } from './check-places.ts';
import type { Issue } from './issue.ts';
import type { LoadedScenario, Sampler } from './scenario.ts';
import type { SuiteDefinition } from './suite.ts';

/** One of `count` parts of a run; `index` counts from 1. */
export interface ShardId {
  /** Which part, from 1. */
  readonly index: number;
  /** Parts in all. */
  readonly count: number;
}

/** At most so many parts: beyond it, a queue is the better tool. */
export const MAX_SHARDS = 100_000;

/** What one part of a run did; the verdict belongs to the whole. */
export interface ShardSummary {
  /** Version of passk that ran it. */
  readonly passk: string;
  /** The seed of every random choice. */
  readonly seed: number;
  /** Which part of the run it is. */
  readonly shard: ShardId;
  /** True: stopped before all its trials had run. */
  readonly partial: boolean;
  /** Trials of the whole run. */
  readonly requested: number;
  /** Trials of this part. */
  readonly share: number;
  /** Scenarios that have trials in this part, in plan order. */
  readonly scenarios: readonly ShardScenario[];
  /** Milliseconds that the trials took. */
  readonly durationMs: number;
}

/** A scenario of one part of a run. */
export interface ShardScenario {
  /** The scenario's name. */
  readonly name: string;
  /** Trials that passed. */
  readonly passed: number;
  /** Trials that failed. */
  readonly failed: number;
  /** Trials that the harness broke. */
  readonly broken: number;
}

/** What a report says besides results: carried by every part, so that merging needs no scenario files. */
export interface SuiteOutline {
  readonly seed: number;
  readonly sampler: Sampler;
  readonly timeoutMs: number | null;
  /** Plug-ins as the user named them. */
  readonly plugins: readonly string[];
  /** In discovery order: null stands for the next planned scenario, the others did not load. */
  readonly rows: readonly (Extract<LoadedScenario, { readonly ok: false }> | null)[];
  readonly issues: readonly Issue[];
  /** Absent: there is none. */
  readonly definitions?: readonly SuiteDefinition[];
  /** What files ask for that is not run, one sentence each; absent: nothing. */
  readonly notRun?: readonly string[];
  /** By definition, what this part learned of its agent; absent: nothing. */
  readonly agents?: Readonly<Record<string, AgentFacts>>;
}

/** When and how a part ran: goes into the `timing` branch only. */
export interface ShardTiming {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** 0: the calling thread did it all. */
  readonly workers: number;
  /** As in `TimingReport`. */
  readonly root?: string;
}

/** Where the file of a scenario asks for its checks, for a report that shows where its failures were asked for. */
export interface ScenarioPlaces {
  /** Position in the plan. */
  readonly scenario: number;
  readonly places: CheckPlaces;
}
