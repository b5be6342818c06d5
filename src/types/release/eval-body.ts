import type { TrivialSubject } from '../audit/set-audit.ts';
import type { GateVerdict } from '../gate.ts';
import type { Amount, Count, Proportion } from '../numbers.ts';
import type { GeneratedSetHash } from '../generated/generated-set.ts';
import type { LedgerKind } from '../record.ts';
import type { Sha256 } from './trial-line.ts';
import type { Origin, SuiteName } from './origin.ts';
import type { SafetyFacts } from './safety-facts.ts';
import type { Axis, CanaryStage, Tier, TierRules } from './release-rules.ts';
import type { NanoUsd } from './trial-line.ts';

/** What a release was found to be. */
export interface EvalBody {
  readonly candidate: Candidate;
  readonly tier: Tier;
  /** The release that reviews must name. */
  readonly release: string;
  /** The day by which ages are counted. */
  readonly asOf: string;
  readonly engine: EngineFacts;
  readonly scenarioSet: ScenarioSetFacts;
  /** Sets that scenarios were generated in, by their hashes; absent: none was. */
  readonly generated?: readonly GeneratedSetHash[];
  /** What was asked of it: all of it enters the verdict, so all of it is signed. */
  readonly rules: TierRules;
  readonly rateCard: RateCardFacts | null;
  readonly counts: TrialTotals;
  readonly reliability: Reliability;
  /** By hash. */
  readonly scenarios: readonly EvalScenario[];
  readonly safety: SafetyFacts;
  readonly cost: CostFacts;
  /** Records whose trials are among these, by hash; absent: none was given. */
  readonly merged?: readonly MergedRecord[];
  /** What a provider billed; absent: no export was given. */
  readonly billing?: BillingFacts;
  /** Results of contracts, models and other suites, and scenarios whose answers are enumerated, each with its own verdict. */
  readonly results: readonly EvalPart[];
  /** What the set of scenarios itself was found to be, before it was run. */
  readonly audit: AuditFacts;
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
  readonly name: string;
  readonly version: string;
  /** Of all that is tried: the scenarios' subjects; of recorded runs only where there is nothing else. */
  readonly hash: Sha256;
  /** What that is the hash of, in order; []: there are only recorded runs. Absent: the record was written before they were kept. */
  readonly subjects?: readonly Sha256[];
  readonly modelPins: readonly ModelPin[];
}

/** The model that plays a role in the candidate. */
export interface ModelPin {
  readonly role: string;
  /** As it is asked for, such as `gpt-4o-2024-08-06`. */
  readonly model: string;
  /** True: the name may mean another model tomorrow. */
  readonly isFloating: boolean;
}

export interface EngineFacts {
  readonly name: 'passk';
  readonly version: string;
  readonly seed: Count;
  /** Trials that are errors count both ways: what they could change is not decided. */
  readonly errors: 'block';
}

export interface ScenarioSetFacts {
  readonly hash: Sha256;
  readonly count: Count;
  readonly bySuite: Readonly<Record<SuiteName, Count>>;
}

export interface TrialTotals {
  readonly planned: Count;
  readonly passed: Count;
  readonly failed: Count;
  /** Trials that the harness ended. They count as not passed, and are told apart. */
  readonly errors: Count;
}

/** Over the scenarios of the suites validation and regression. */
export interface Reliability {
  /** Mean over scenarios; null: no scenario has so many trials. */
  readonly passHatK: readonly { readonly k: Count; readonly value: Proportion | null; readonly scenarios: Count }[];
  /** Scenarios of which every trial passed. */
  readonly allPass: Count;
  /** Mean over scenarios; null: there is none. */
  readonly passRate: Proportion | null;
  /** The same without the trials that are errors; null: there is none. */
  readonly passRateWithoutErrors: Proportion | null;
}

/** A scenario, or a task of recorded runs. */
export interface EvalScenario {
  /** Of its content, without name, file and number of trials. */
  readonly hash: Sha256;
  readonly name: string;
  readonly suite: SuiteName;
  /** Another scenario that tries the same under another name; null: there is none. */
  readonly copyOf: Sha256 | null;
  /** True: its file does not say; it counts as validation in tier dev. */
  readonly isSuiteAssumed: boolean;
  /** True: a heuristic check is among what it expects, which decides nothing in the upper tiers; absent: none is. */
  readonly isHeuristic?: true;
  readonly tags: readonly string[];
  readonly origin: Omit<Origin, 'suite'>;
  /** Its own bar; null: every trial must pass. */
  readonly minPassRate: Proportion | null;
  readonly planned: Count;
  readonly passed: Count;
  readonly failed: Count;
  readonly errors: Count;
  readonly retries: Count;
  /** Null: something in it has no price. */
  readonly nanoUsd: NanoUsd | null;
  /** The lowest trials that failed, at most 5. */
  readonly firstFailures: readonly Count[];
}

/** What is judged by its own verdict. */
export interface EvalPart {
  readonly kind: string;
  readonly name: string;
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
  readonly byKind: Readonly<Record<string, NanoUsd>>;
  readonly runs: Count;
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
  readonly perReliableTask: readonly { readonly k: Count; readonly usd: Amount | null }[];
  /** Lines without a price, by kind and name, with the number of runs that have them. */
  readonly unpriced: readonly { readonly kind: string; readonly name: string; readonly runs: Count }[];
  /** Judges, simulated users and infrastructure: no part of what the subject costs. */
  readonly evaluationNanoUsd: NanoUsd;
  readonly ceilingUsd: Amount | null;
  readonly ceilingFrom: 'explicit' | 'prior' | null;
  readonly reasons: Readonly<Record<string, string>>;
}

/** Another record of the same candidate, whose trials count here. */
export interface MergedRecord {
  readonly bodyHash: Sha256;
  /** SHA-256 of the public key that it is signed with. */
  readonly keyId: Sha256;
  readonly tier: Tier;
  /** The day by which its ages were counted. */
  readonly asOf: string;
  /** Version of passk. */
  readonly passk: string;
  readonly seed: Count;
  readonly scenarios: Count;
}

/** What a provider's export says of the trials of a release. */
export interface BillingStatement {
  /** SHA-256 of the file. */
  readonly hash: Sha256;
  /** Rows that count. */
  readonly rows: Count;
  readonly billedNanoUsd: NanoUsd;
  /** Kinds of lines of the ledger that the bill covers. */
  readonly kinds: readonly LedgerKind[];
  /** Share of the bill by which the ledger may differ. */
  readonly tolerance: Proportion;
  /** What was billed for each thing, by its name in the ledger, in order; absent: the bill was not read so. */
  readonly items?: readonly BilledItem[];
}

export interface BilledItem {
  readonly name: string;
  readonly billedNanoUsd: NanoUsd;
}

/** The same beside the ledger; what only one of them has is 0 in the other. */
export interface BillingItem extends BilledItem {
  readonly ledgerNanoUsd: NanoUsd;
  /** Ledger over bill − 1; null: nothing was billed. */
  readonly difference: number | null;
}

/** The bill beside the ledger, over all trials. */
export interface BillingFacts extends BillingStatement {
  /** What the ledger says; a lower bound where lines have no price. */
  readonly ledgerNanoUsd: NanoUsd;
  /** Ledger over bill − 1; null: nothing was billed. */
  readonly difference: number | null;
  /** Lines of these kinds without a price. */
  readonly unpriced: Count;
  /** By name, in order; absent: the bill was not read so. */
  readonly items?: readonly BillingItem[];
}

/** What a release is held against. */
export interface PriorRelease {
  readonly bodyHash: Sha256;
  readonly candidate: string;
  /** Everything over successes, in USD; null: it was not known. */
  readonly costPerSuccessUsd: Amount | null;
  readonly passHatK: Reliability['passHatK'];
  readonly scenarios: readonly PriorScenario[];
}

/** What a scenario came to in the release before. */
export interface PriorScenario {
  readonly name: string;
  readonly suite: SuiteName;
  readonly passed: Count;
  readonly trials: Count;
}

export interface AxisResult {
  readonly verdict: GateVerdict;
  /** True: it informs, and does not decide. */
  readonly isAdvisory: boolean;
  readonly reasons: readonly AxisReason[];
  /** What it rests on, in words. */
  readonly evidence: readonly string[];
  /** What its rules can tell of the planned trials. */
  readonly tells: readonly string[];
}

/** What subjects that can do nothing, and answers held to be right, make of the scenarios of validation and regression. */
export interface AuditFacts {
  readonly tasks: Count;
  readonly trivial: readonly {
    readonly subject: TrivialSubject;
    /** Scenarios that it was judged on. */
    readonly tasks: Count;
    readonly passed: Count;
  }[];
  /** Of the scenarios whose gold answers could be judged. */
  readonly gold: { readonly tasks: Count; readonly passed: Count };
  /** Scenarios that such a subject passes, at most 20. */
  readonly trivially: readonly string[];
  /** Scenarios that gold answers fail, at most 20. */
  readonly goldFails: readonly string[];
  /** Groups of scenarios whose content is the same. */
  readonly duplicates: Count;
}

export interface AxisReason {
  /** In capitals, for programs. */
  readonly code: string;
  readonly verdict: GateVerdict;
  readonly message: string;
}

export interface GovernanceFinding extends AxisReason {
  /** Names of scenarios. */
  readonly scenarios: readonly string[];
}

export interface RateCardFacts {
  readonly id: string;
  readonly effective: string;
  readonly hash: Sha256;
}
