import type { RecordingSubject } from './recording.ts';
import type { CassetteMode } from './cassette.ts';
import type { PlannedJudge } from './judges/judge.ts';
import type { LiveNode } from './live-node.ts';
import type { PlannedEndpoint } from './model-endpoint.ts';
import type { ModelSubject } from './model-suite.ts';
import type { EffectPort, GrantedWorld } from './permissions.ts';
import type { AnsweredSubject } from './answered-subject.ts';
import type { OutsideAgent, SessionSubject } from './session.ts';
import type { AgentSubject, PluginSubject, Sampler, Scenario, Subject, WorkflowSubject } from './scenario.ts';

/** Unsigned 32-bit words from which every draw of one scenario derives: two enter per trial, two per address. */
export type SeedWords = readonly [perTrial: number, perTrial: number, perAddress: number, perAddress: number];

/** What whoever plans, runs and compares trials must know of a subject, without running anybody's code. */
export interface Traits {
  /** True: every port is answered from the plan, so a trial runs at once, without waiting for anything. */
  readonly sync: boolean;
  /** True: the same trial always has the same result, so it can be run again, and compared. */
  readonly repeatable: boolean;
  /**
   * Where trials run: `here` is on the calling thread too; `host` on the calling thread alone, where they only wait and run
   * no code of the user but functions of the program itself; `worker` only where they can be stopped.
   */
  readonly place: 'here' | 'host' | 'worker';
  /**
   * Scenarios of the same number run one after the other in plan order, their trials in order, because they share state;
   * null: everything may run at once. It is the position of the first of them.
   */
  readonly orderGroup: number | null;
  /**
   * Scenarios of the same name wait for the same one outside: so many of their trials are in flight, whatever others are;
   * absent: they share the room of all others. `after`: none of them begins before all that wait for that one have ended.
   */
  readonly waitsFor?: { readonly name: string; readonly atOnce: number; readonly after?: string };
  /** Milliseconds after which a trial has ended by itself, in virtual or in real time. */
  readonly longestMs: number;
}

/** What a worker needs to compile one scenario and run any of its trials: plain data only. */
export interface ScenarioPlan<S extends Subject = Subject> {
  /** Position in the run plan; tallies and deltas refer to it. */
  readonly index: number;
  readonly scenario: Scenario<S>;
  readonly sampler: Sampler;
  readonly words: SeedWords;
  /** Trials 0 … trials − 1; at most 2^32; 1 where answers are enumerated: the enumeration is counted as one. */
  readonly trials: number;
  readonly traits: Traits;
  /**
   * Ports that the real world may answer in this scenario, in the order of `EffectPort`; absent: none. Everything else is
   * answered from the plan.
   */
  readonly effects?: readonly EffectPort[];
  /** True: plug-ins of the user take part, so they are loaded. */
  readonly userCode: boolean;
  /** True: some answer is checked against a JSON Schema, so the schema library is loaded. */
  readonly schemas: boolean;
  /** Backends that functions of the host answer; [] where turns do. */
  readonly liveModels: readonly string[];
  /** Real models that answer these backends, through the host; absent: none. Keys are not here, only their variables. */
  readonly liveEndpoints?: Readonly<Record<string, PlannedEndpoint>>;
  /** Judges that are asked about each trial, in the order of the expectation; absent: none is. */
  readonly judges?: readonly PlannedJudge[];
  /** Node types whose functions live on the host. */
  readonly liveNodes: readonly LiveNode[];
  /** Whether a cassette takes down the outside world's answers, or gives them; absent: there is none. */
  readonly cassette?: CassetteMode;
  /** Absolute folder that names of recorded files, and of modules of agents, are relative to, which is no part of what results depend on; absent: none is read. */
  readonly folder?: string;
  /** True: identical trials of a block are run once; absent: each is run. */
  readonly dedupe?: true;
  /** True: the workflow itself waits for nothing, so that its time is virtual although its trials wait; absent: time is real where they do. */
  readonly virtualTime?: true;
  /** True: a row of each trial is kept; absent: none is. */
  readonly rows?: true;
  /** True: so are the records of the lowest trial that passed and the lowest that failed; absent: they are not. */
  readonly firstRecords?: true;
  /** True: its report says what its trials cost, line by line, which takes rows; absent: it does not. */
  readonly ledger?: true;
  /** How often a trial is run again while the harness breaks it; absent: never. */
  readonly retries?: number;
  /** Trials in one block: 4,096, or 1 where trials wait for answers. */
  readonly blockSize: number;
}

/** The plan of a scenario that tries a workflow. */
export type WorkflowPlan = ScenarioPlan<WorkflowSubject>;

/** The plan of a scenario that asks an agent. */
export type AgentPlan = ScenarioPlan<AgentSubject>;

/** The plan of a scenario that tests a model. */
export type ModelPlan = ScenarioPlan<ModelSubject>;

/** The plan of a scenario that tries what a plug-in runs. */
export type PluginPlan = ScenarioPlan<PluginSubject>;

/** The plan of a scenario that holds sessions. */
export type SessionPlan = ScenarioPlan<SessionSubject>;

/** The plan of a scenario that holds sessions of an agent outside of the process. */
export type OutsideSessionPlan = ScenarioPlan<SessionSubject & { readonly agent: OutsideAgent }>;

/** The plan of a scenario that reads recorded trials. */
export type RecordingPlan = ScenarioPlan<RecordingSubject>;

/** The plan of a scenario whose answers are known beforehand. */
export type AnsweredPlan = ScenarioPlan<AnsweredSubject>;

/** Everything that will be run, in report order. */
export interface RunPlan {
  readonly scenarios: readonly ScenarioPlan[];
  /** Modules that define plug-ins, as `file:` URLs, in the order in which they are loaded. */
  readonly plugins: readonly string[];
  /** Names of functions that live on the host and are called through it. */
  readonly hostFunctions: readonly string[];
  /** What passk may do on this machine; absent: nothing. */
  readonly granted?: GrantedWorld;
}

/** Trials in one block of a program that runs at once: the unit of claiming, flushing, repeating and losing. */
export const BLOCK_SIZE = 4096;

/**
 * Trials in flight at once, over all workers and the host, when nobody says how many. No number of cores is in it: how many
 * requests an agent or a model gets at once must not depend on the machine that asks.
 */
export const DEFAULT_CONCURRENCY = 32;

/** Trials in flight at once: each holds a runner and, mostly, a socket. */
export const MAX_CONCURRENCY = 100_000;
