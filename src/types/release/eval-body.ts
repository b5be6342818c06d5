import type { Reliability } from './reliability.ts';
import type { MergedRecord, PriorRelease } from './other-records.ts';
import type { AuditFacts } from './audit-facts.ts';
import type { BillingFacts } from './billing-facts.ts';

import type { GateVerdict } from '../reports/gate.ts';
import type { Amount, Count, Proportion } from '../numbers.ts';
import type { GeneratedSetHash } from '../generated/generated-set.ts';

import type { Sha256 } from './trial-line.ts';
import type { Origin, SuiteName } from './origin.ts';
import type { SafetyFacts } from './safety-facts.ts';
import type { Axis, CanaryStage, Tier, TierRules } from './release-rules.ts';
import type { NanoUsd } from './trial-line.ts';

/** What a release was found to be. */
export interface EvalBody {
  /** What was tried. */
  readonly candidate: Candidate;
  /** The tier that was asked for. */
  readonly tier: Tier;
  /** The release that reviews must name. */
  readonly release: string;
  /** The day by which ages are counted. */
  readonly asOf: string;
  /** What it was tried with. */
  readonly engine: EngineFacts;
  /** Which scenarios were run. */
  readonly scenarioSet: ScenarioSetFacts;
  /** Sets that scenarios were generated in, by their hashes; absent: none was. */
  readonly generated?: readonly GeneratedSetHash[];
  /** What was asked of it: all of it enters the verdict, so all of it is signed. */
  readonly rules: TierRules;
  /** What things cost; null: there are no prices. */
  readonly rateCard: RateCardFacts | null;
  /** Trials in all. */
  readonly counts: TrialTotals;
  /** How often it did its work. */
  readonly reliability: Reliability;
  /** By hash. */
  readonly scenarios: readonly EvalScenario[];
  /** How attacks ended. */
  readonly safety: SafetyFacts;
  /** What it cost. */
  readonly cost: CostFacts;
  /** Records whose trials are among these, by hash; absent: none was given. */
  readonly merged?: readonly MergedRecord[];
  /** What a provider billed; absent: no export was given. */
  readonly billing?: BillingFacts;
  /** Results of contracts, models and other suites, and scenarios whose answers are enumerated, each with its own verdict. */
  readonly results: readonly EvalPart[];
  /** What the set of scenarios itself was found to be, before it was run. */
  readonly audit: AuditFacts;
  /** The verdict of each axis. */
  readonly axes: Readonly<Record<Axis, AxisResult>>;
  /** The release before; null: none was given. */
  readonly prior: PriorRelease | null;
  /** Stages of the canary that this release is to go through; []: none is configured. */
  readonly canary: readonly CanaryStage[];
  /** True: the run ended before all planned trials. */
  readonly partial: boolean;
  /** What is missing in the test material. */
  readonly governance: readonly GovernanceFinding[];
  /** The worst of all that decides: fail before insufficient before pass. */
  readonly verdict: GateVerdict;
  /** Sentences; [] where it passed. */
  readonly reasons: readonly string[];
  /** The root of the Merkle tree over the trials, in the order of scenario hash and trial. */
  readonly trialsRoot: Sha256;
}

export interface Candidate {
  /** The name of the candidate. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** Of all that is tried: the scenarios' subjects; of recorded runs only where there is nothing else. */
  readonly hash: Sha256;
  /** What that is the hash of, in order; []: there are only recorded runs. Absent: the record was written before they were kept. */
  readonly subjects?: readonly Sha256[];
  /** The models, each with the version that was asked. */
  readonly modelPins: readonly ModelPin[];
}

/** The model that plays a role in the candidate. */
export interface ModelPin {
  /** What the model is used for. */
  readonly role: string;
  /** As it is asked for, such as `gpt-4o-2024-08-06`. */
  readonly model: string;
  /** True: the name may mean another model tomorrow. */
  readonly isFloating: boolean;
}

export interface EngineFacts {
  readonly name: 'passk';
  /** The version of passk. */
  readonly version: string;
  /** The seed of the run. */
  readonly seed: Count;
  /** Trials that are errors count both ways: what they could change is not decided. */
  readonly errors: 'block';
}

export interface ScenarioSetFacts {
  /** Identifies the scenarios and their contents. */
  readonly hash: Sha256;
  /** How many scenarios there are. */
  readonly count: Count;
  /** How many each suite has. */
  readonly bySuite: Readonly<Record<SuiteName, Count>>;
}

export interface TrialTotals {
  /** Trials that were planned. */
  readonly planned: Count;
  /** Trials that passed. */
  readonly passed: Count;
  /** Trials that failed. */
  readonly failed: Count;
  /** Trials that the harness ended. They count as not passed, and are told apart. */
  readonly errors: Count;
}

/** A scenario, or a task of recorded runs. */
export interface EvalScenario {
  /** Of its content, without name, file and number of trials. */
  readonly hash: Sha256;
  /** The scenario's name. */
  readonly name: string;
  /** The suite that it belongs to. */
  readonly suite: SuiteName;
  /** Another scenario that tries the same under another name; null: there is none. */
  readonly copyOf: Sha256 | null;
  /** True: its file does not say; it counts as validation in tier dev. */
  readonly isSuiteAssumed: boolean;
  /** True: a heuristic check is among what it expects, which decides nothing in the upper tiers; absent: none is. */
  readonly isHeuristic?: true;
  /** True: a task of recorded runs, of which there are no more attempts; absent: passk ran it. */
  readonly isRecorded?: true;
  /** True: nobody outside is asked and nothing is drawn, so that all its trials are the same one; absent: they may differ. */
  readonly isConstant?: true;
  /** Words that choose it. */
  readonly tags: readonly string[];
  /** Where it comes from. */
  readonly origin: Omit<Origin, 'suite'>;
  /** Its own bar; null: every trial must pass. */
  readonly minPassRate: Proportion | null;
  /** Trials that were asked for. */
  readonly planned: Count;
  /** Trials that passed. */
  readonly passed: Count;
  /** Trials that failed. */
  readonly failed: Count;
  /** Trials that the harness broke. */
  readonly errors: Count;
  /** Calls that were tried again. */
  readonly retries: Count;
  /** Null: something in it has no price. */
  readonly nanoUsd: NanoUsd | null;
  /** The lowest trials that failed, at most 5. */
  readonly firstFailures: readonly Count[];
}

/** What is judged by its own verdict. */
export interface EvalPart {
  /** The kind of the result. */
  readonly kind: string;
  /** Its name. */
  readonly name: string;
  /** Its verdict. */
  readonly verdict: string;
  /** Absent: its file does not say; it decides the outcome, and no rule about test material asks for it. */
  readonly suite?: SuiteName;
  /** What its file says besides. */
  readonly origin?: Omit<Origin, 'suite'>;
}

/** Over the scenarios of the suites validation and regression. Source: release gate, F-10 and F-11. */
export interface CostFacts {
  /** Of the canonical JSON of all priced lines. */
  readonly ledgerHash: Sha256;
  /** What the subject spent; a lower bound where lines have no price. */
  readonly totalNanoUsd: NanoUsd;
  /** Of first attempts. */
  readonly firstNanoUsd: NanoUsd;
  /** Cost by what it was spent on, in billionths of a dollar. */
  readonly byKind: Readonly<Record<string, NanoUsd>>;
  /** Trials that were run. */
  readonly runs: Count;
  /** Trials that passed. */
  readonly successes: Count;
  /** Retries per run. */
  readonly retryMean: Amount | null;
  /** First attempts over successes, times 1 + retries per run; null with a reason. */
  readonly perSuccessUsd: Amount | null;
  /** Everything over successes. */
  readonly perSuccessExactUsd: Amount | null;
  /** 95 %, clustered by scenario; an upper end of null is without limit. */
  readonly perSuccessInterval: readonly [Amount, Amount | null] | null;
  /** perSuccessUsd / perSuccessExactUsd − 1; below 0 where a retry costs more than a first attempt. */
  readonly gap: number | null;
  /** What a task costs that passes k times in a row. */
  readonly perReliableTask: readonly {
    /** How many times in a row. */
    readonly k: Count;
    /** Dollars; null: unknown. */
    readonly usd: Amount | null;
  }[];
  /** Lines without a price, by kind and name, with the number of runs that have them. */
  readonly unpriced: readonly {
    /** What it was spent on. */
    readonly kind: string;
    /** Name of the model or tool without a price. */
    readonly name: string;
    /** Trials that used it. */
    readonly runs: Count;
  }[];
  /** Judges, simulated users and infrastructure: no part of what the subject costs. */
  readonly evaluationNanoUsd: NanoUsd;
  /** The most that a success may cost, in dollars; null: no limit. */
  readonly ceilingUsd: Amount | null;
  /** Where the limit comes from; null: there is none. */
  readonly ceilingFrom: 'explicit' | 'prior' | null;
  /** Why a number here is null, by field name. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** The verdict of one axis of a release. */
export interface AxisResult {
  /** Whether the axis allows the release. */
  readonly verdict: GateVerdict;
  /** True: it informs, and does not decide. */
  readonly isAdvisory: boolean;
  /** Why, one by one. */
  readonly reasons: readonly AxisReason[];
  /** What it rests on, in words. */
  readonly evidence: readonly string[];
  /** What its rules can tell of the planned trials. */
  readonly tells: readonly string[];
}

/** Why an axis of a release has its verdict. */
export interface AxisReason {
  /** In capitals, for programs. */
  readonly code: string;
  /** What it makes of the axis. */
  readonly verdict: GateVerdict;
  /** The reason, in a sentence. */
  readonly message: string;
}

/** What is wrong with the papers of some scenarios. */
export interface GovernanceFinding extends AxisReason {
  /** Names of scenarios. */
  readonly scenarios: readonly string[];
}

export interface RateCardFacts {
  /** The name of the rate card. */
  readonly id: string;
  /** The day from which its prices hold, such as 2026-11-25. */
  readonly effective: string;
  /** The SHA-256 of the file. */
  readonly hash: Sha256;
}
