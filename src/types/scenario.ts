import type { World } from './scenarios/world.ts';
import type { FaithfulExpectation } from './faithfulness/faithful-expectation.ts';
import type { CounterName } from './trial.ts';
import type { Preference } from './judges/judge.ts';
import type { Agent } from './agent.ts';
import type { AnsweredSubject } from './answered-subject.ts';
import type { Chaos } from './chaos.ts';
import type { DenialExpectation, RequestExpectation, RequestTest } from './expected-request.ts';
import type { Invariant } from './invariant.ts';
import type { Isolation } from './isolation.ts';
import type { Issue } from './issue.ts';
import type { JsonObject } from './json.ts';
import type { TextMatch } from './mock.ts';
import type { ModelSubject } from './model-suite.ts';
import type { ValidatorExpectation } from './model-test.ts';
import type { MessageMutation } from './mutations/mutation.ts';
import type { ScenarioPlace } from './ladders/scenario-place.ts';
import type { Origin } from './release/origin.ts';
import type { Policy } from './policy.ts';
import type { RecordingSubject } from './recording.ts';
import type { GoldExpectation } from './recordings/gold-expectation.ts';
import type { SessionSubject, StateExpectation } from './session.ts';
import type { CommandCheck, ModuleCheck } from './sessions/session-check.ts';
import type { DefinitionPart } from './suite.ts';
import type { Trigger } from './trigger.ts';
import type { ValueTest } from './value-test.ts';
import type { Workflow } from './workflow.ts';

/**
 * How variants are chosen. `seeded`: independent addressed draws, weights honoured.
 * `reference`: the formula of agentd-conformance, which ties turns together and ignores seed and weights.
 * `exhaustive`: not drawn at all: every sequence of answers is run once, and counts with its chance.
 */
export const SAMPLERS = ['seeded', 'reference', 'exhaustive'] as const;

/** How the answers of turns are drawn. */
export type Sampler = (typeof SAMPLERS)[number];

/** What is tried. */
export type Subject =
  | WorkflowSubject
  | AgentSubject
  | ModelSubject
  | PluginSubject
  | RecordingSubject
  | SessionSubject
  | AnsweredSubject;

/** A scenario as plain data: one file (or one object of `defineScenario`), validated and frozen. */
export interface Scenario<S extends Subject = Subject> extends ScenarioPlace {
  /** The scenario's name. */
  readonly name: string;
  /** Relative to the suite root, with `/`; `<memory>` for scenarios given as objects. */
  readonly file: string;
  /** What it is for. */
  readonly description?: string;
  /** Capabilities the author claims; checked against what is observed. */
  readonly capabilities: readonly string[];
  /** Words that choose it. */
  readonly tags: readonly string[];
  /** Where it comes from and what it is for; absent: its file does not say. */
  readonly origin?: Origin;
  /** Trials that its file asks for. */
  readonly trials: number;
  /** The scenario's own bar in [0, 1]; null: every trial must pass. */
  readonly minPassRate: number | null;
  /** Time limit of a trial, in milliseconds. */
  readonly timeoutMs: number;
  /** Overrides the suite's seed. */
  readonly seed: number | null;
  /** Overrides the suite's sampler. */
  readonly sampler: Sampler | null;
  /** Overrides the run's isolation; absent: as the run says. Results do not depend on it. */
  readonly isolation?: Isolation;
  /** What is tried. */
  readonly subject: S;
  /** What goes wrong around the subject. */
  readonly faults: Faults;
  /** What must hold after every trial. */
  readonly expected: Expected;
  /** The row of its file's `cases` that it was made for; absent: the file has none. */
  readonly case?: string;
  /** What it is run for, such as a column of a contract; absent: it stands for itself. */
  readonly part?: DefinitionPart;
  /**
   * Its name and its definition's as their file has them, where other files of the run use that name too; absent: the same
   * as here. Draws follow from them, and `--part` takes them.
   */
  readonly namesInFile?: {
    /** The scenario's name in the file. */
    readonly scenario: string;
    /** The name in the file of what it belongs to. */
    readonly definition: string;
  };
}

/** An agent and what one trial asks it. No file can write it: contracts are planned into it. */
export interface AgentSubject {
  readonly kind: 'agent';
  readonly agent: Agent;
  /** Asked one after the other in each trial; at least one. */
  readonly prompts: readonly string[];
  /** What a model makes of each prompt before it is asked; absent: they are asked as they stand here. */
  readonly mutation?: MessageMutation;
  /** True: each answer comes with the one in a world without chaos. */
  readonly baselines: boolean;
}

/** What a plug-in of kind `subject` runs. No file can write it: files of plug-ins of kind `suite` are planned into it. */
export interface PluginSubject {
  readonly kind: 'plugin';
  /** The word of the plug-in. */
  readonly type: string;
  /** What the plug-in opens it with. */
  readonly data: JsonObject;
}

/** A workflow with everything that stands around it. */
export interface WorkflowSubject {
  readonly kind: 'workflow';
  readonly workflow: Workflow;
  /** Nothing is asked or done: policy judges each request, and what was asked stands in place of its answer; absent: all is done. */
  readonly dryRun?: true;
  /** Child workflows by the key that nodes name them by. */
  readonly children: Readonly<Record<string, Workflow>>;
  readonly trigger: Trigger;
  /** What is asked in the trigger's payload, where a contract asks it; absent: the trigger says all. */
  readonly prompt?: string;
  /** What a model makes of the prompt before a trial, and the keys under which it stands in the payload; absent: nothing. */
  readonly mutation?: MessageMutation & { readonly at: readonly string[] };
  readonly turns: readonly Turn[];
  /** The policy in force: the scenario's, else the workflow's; null: everything is allowed. */
  readonly policy: Policy | null;
  readonly world: World;
}

/** A scenario that tries a workflow. */
export type WorkflowScenario = Scenario<WorkflowSubject>;

/** What loading one file gave: a scenario, or the reasons why not. */
export type LoadedScenario<S extends Subject = Subject> =
  | {
      readonly ok: true;
      /** The scenario's file, relative to the root of the suite, with `/`. */
      readonly file: string;
      /** The scenario as plain data. */
      readonly scenario: Scenario<S>;
      /** Problems, with their places; warnings, where it loaded. */
      readonly issues: readonly Issue[];
    }
  | {
      readonly ok: false;
      /** The scenario's file, relative to the root of the suite, with `/`. */
      readonly file: string;
      /** The scenario's name where the file got that far, else the file. */
      readonly name: string;
      /** What its author claims. */
      readonly capabilities: readonly string[];
      /** Trials that its file asks for. */
      readonly trials: number;
      /** Problems, with their places; warnings, where it loaded. */
      readonly issues: readonly Issue[];
    };

/** One canned model answer, or several variants of it. */
export interface Turn {
  /** Keeps draws paired when turns are added or moved. */
  readonly id?: string;
  /** Serves only this node's requests; absent: the next request that no addressed turn serves. */
  readonly node?: string;
  /** An addressed turn that keeps serving. */
  readonly repeat: boolean;
  /** At least one. */
  readonly variants: readonly Variant[];
}

export interface Variant {
  readonly content: string;
  /** True: it answers with the last message of its prompt in place of its content; absent: with its content. */
  readonly echoes?: true;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Relative chance, above 0. */
  readonly weight: number;
  /** What goes wrong with this answer, if anything. */
  readonly fault?: TurnFault;
}

/** A fault as the file names it; `type` is a registered fault. */
export interface TurnFault {
  readonly type: string;
  readonly config: JsonObject;
}

export interface Faults {
  /** The n-th model request of the trial fails before it is billed; counts from 1; null or 0: never. */
  readonly intelErrorOnCall: number | null;
  /** What else goes wrong around the subject; absent: nothing. */
  readonly chaos?: Chaos;
}

/** What must hold after a trial. Everything absent is not asserted. */
export interface Expected {
  readonly status?: string;
  readonly stoppedBy?: string;
  readonly lastNode?: string;
  /** The node at which an errored run stopped. */
  readonly erroredNode?: string;
  readonly reasonContains?: string;
  readonly reasonEquals?: string;
  /** RE2 syntax. */
  readonly reasonMatches?: string;
  readonly path?: readonly string[];
  readonly pathExact: boolean;
  /** Nodes that must not run. */
  readonly forbiddenNodes: readonly string[];
  /** Branches that must be taken, as `node: label`. */
  readonly branches: readonly { readonly node: string; readonly branch: string }[];
  /** Lowest value of each named counter. */
  readonly min: Readonly<Partial<Record<CounterName, number>>>;
  readonly max: Readonly<Partial<Record<CounterName, number>>>;
  readonly values: readonly ValueExpectation[];
  /** `none`: no reply was shaped. */
  readonly respond?: RespondExpectation | 'none';
  readonly prompts: readonly PromptExpectation[];
  /** Absent: nothing is asserted. */
  readonly requests?: readonly RequestExpectation[];
  /** Requests that must go out in this order. */
  readonly sequence?: readonly RequestTest[];
  readonly denials?: readonly DenialExpectation[];
  readonly files: FilesExpectation;
  /** Rules that the answers must obey. */
  readonly invariants?: {
    readonly list: readonly Invariant[];
    /** The plug-in that compares texts; absent: passk's own method does. */
    readonly similarity?: string;
  };
  /** What the answer of a model must be; absent: no model is tested. */
  readonly validators?: ValidatorExpectation;
  /** True: what judged a recorded trial where it ran must have passed it; absent: nobody is believed. */
  readonly claimed?: true;
  /** How the calls of a recorded trial follow those that its source holds to be right; absent: they are not compared. */
  readonly gold?: GoldExpectation;
  /** What the state of a session's world must be in the end; absent: nothing is asked of it. */
  readonly state?: StateExpectation;
  /** Checks that are modules of the user, of sessions; absent: none. */
  readonly modules?: readonly ModuleCheck[];
  /** Checks that are programs, of sessions; absent: none. */
  readonly commands?: readonly CommandCheck[];
  /** What the subject must have said; absent: nothing. */
  readonly says?: readonly TextMatch[];
  /** Names of judges that must find their criteria met; absent: none is asked. */
  readonly judges?: readonly string[];
  /** Answers that judges must find worse than the trial's; absent: none is compared. */
  readonly prefers?: readonly Preference[];
  /** What must support what the subject says; absent: nothing. */
  readonly faithful?: FaithfulExpectation;
  /** Names of the checks that must fail, and no others: the subject is known to be wrong; absent: all must hold. */
  readonly fails?: readonly string[];
  /**
   * The subject is attacked: the trial passes where the attack does not succeed, and whether all else holds is told beside it.
   * `mustFall`: the subject is known to fall, and the trial passes where it does. Absent: it is not.
   */
  readonly attack?: { readonly mustFall: boolean };
}

/** One assertion on the final value or on a node's last output. */
export interface ValueExpectation {
  /** Absent: the run's final value. */
  readonly node?: string;
  /** Dotted path inside the value; absent: the whole value. */
  readonly path?: string;
  readonly test: ValueTest;
}

export interface RespondExpectation {
  readonly status?: number;
  readonly contentType?: string;
  readonly body?: string;
  readonly bodyContains?: string;
  readonly bodyMatches?: string;
}

export interface PromptExpectation {
  /** Absent: any node's prompts. */
  readonly node?: string;
  /** Which of those requests, from 1; absent: at least one of them. */
  readonly call?: number;
  readonly contains?: string;
  readonly notContains?: string;
  readonly matches?: string;
}

export interface FilesExpectation {
  readonly exist: readonly string[];
  readonly absent: readonly string[];
  /** Path → text the file must contain. */
  readonly contain: Readonly<Record<string, string>>;
}
