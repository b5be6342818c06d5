import type { Expected } from './scenarios/expected.ts';
import type { World } from './scenarios/world.ts';
import type { Agent } from './agent.ts';
import type { AnsweredSubject } from './answered-subject.ts';
import type { Chaos } from './chaos.ts';
import type { Isolation } from './isolation.ts';
import type { Issue } from './issue.ts';
import type { JsonObject } from './json.ts';
import type { ModelSubject } from './model-suite.ts';
import type { MessageMutation } from './mutations/mutation.ts';
import type { ScenarioPlace } from './ladders/scenario-place.ts';
import type { Origin } from './release/origin.ts';
import type { Policy } from './policy.ts';
import type { RecordingSubject } from './recording.ts';
import type { SessionSubject } from './session.ts';
import type { DefinitionPart } from './suite.ts';
import type { Trigger } from './trigger.ts';
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
  /** The part of its file that it is, as keys and positions; absent: the whole file. */
  readonly inFile?: readonly (string | number)[];
  /** The row of its file's `cases` that it was made for, or its name where its module makes several; absent: its file holds it alone. */
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
  /** The agent. */
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
  /** The workflow. */
  readonly workflow: Workflow;
  /** Nothing is asked or done: policy judges each request, and what was asked stands in place of its answer; absent: all is done. */
  readonly dryRun?: true;
  /** Child workflows by the key that nodes name them by. */
  readonly children: Readonly<Record<string, Workflow>>;
  /** What starts it. */
  readonly trigger: Trigger;
  /** What is asked in the trigger's payload, where a contract asks it; absent: the trigger says all. */
  readonly prompt?: string;
  /** What a model makes of the prompt before a trial, and the keys under which it stands in the payload; absent: nothing. */
  readonly mutation?: MessageMutation & {
    /** Where the mutated texts stand. */
    readonly at: readonly string[];
  };
  /** The canned answers of models. */
  readonly turns: readonly Turn[];
  /** The policy in force: the scenario's, else the workflow's; null: everything is allowed. */
  readonly policy: Policy | null;
  /** The mocks that it meets. */
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
      /** True: the file holds several scenarios, whose names nobody knows; absent: the name is that of one. */
      readonly isOfSeveral?: true;
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
  /** The text of the answer. */
  readonly content: string;
  /** True: it answers with the last message of its prompt in place of its content; absent: with its content. */
  readonly echoes?: true;
  /** Tokens of the prompt. */
  readonly promptTokens: number;
  /** Tokens of the completion. */
  readonly completionTokens: number;
  /** Relative chance, above 0. */
  readonly weight: number;
  /** What goes wrong with this answer, if anything. */
  readonly fault?: TurnFault;
}

/** A fault as the file names it; `type` is a registered fault. */
export interface TurnFault {
  /** The type of the fault. */
  readonly type: string;
  /** Its settings. */
  readonly config: JsonObject;
}

export interface Faults {
  /** The n-th model request of the trial fails before it is billed; counts from 1; null or 0: never. */
  readonly intelErrorOnCall: number | null;
  /** What else goes wrong around the subject; absent: nothing. */
  readonly chaos?: Chaos;
}
