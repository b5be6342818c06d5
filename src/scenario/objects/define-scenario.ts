import type { ExpectedDefinition } from './define-expected.ts';
import type { NodeKeys } from '../../types/definitions/node-keys.ts';
import type { PolicyDefinition, ProvenanceDefinition } from '../../types/definitions/scenario-tables.ts';
import type {
  BudgetDefinition,
  EdgeDefinition,
  IntelligenceDefinition,
  McpServerDefinition,
  RetryDefinition,
  StartNodeDefinition,
} from '../../types/definitions/workflow-tables.ts';
import type { Isolation } from '../../types/isolation.ts';

import type { Origin, SuiteName } from '../../types/release/origin.ts';
import type { Sampler } from '../../types/scenario.ts';

import type { TriggerKind } from '../../types/trigger.ts';

import type { WorldDefinition } from './define-world.ts';

/** A scenario made in memory: the keys of a scenario file in camelCase, with the same meaning and the same checks. */
export interface ScenarioDefinition {
  /** Label in reports and key of comparisons; unique in a suite. */
  readonly name: string;
  /** What the scenario is for. */
  readonly description?: string;
  /** Capabilities it claims to cover; reports compare them with what was observed. */
  readonly capabilities?: readonly string[];
  /** Words to select it by. */
  readonly tags?: readonly string[];
  /** The part of the test material that it belongs to; releases ask for it. */
  readonly suite?: SuiteName;
  /** Where the scenario comes from, and who answers for it. */
  readonly provenance?: ProvenanceDefinition;
  /** What is tried against the subject. A trial that passes has resisted. */
  readonly attack?: Origin['attack'];
  /** Number of trials, up to 2^32; default 1, and 0 counts as 1. */
  readonly trials?: number;
  /** Share of trials that must pass, 0 to 1; left out: all of them. */
  readonly minPassRate?: number;
  /** Limit of a trial in seconds; default 30, 0 counts as 1. */
  readonly timeoutSecs?: number;
  /** Limit of a trial in milliseconds, instead of timeout_secs. */
  readonly timeoutMs?: number;
  /** Replaces the suite's seed. */
  readonly seed?: number;
  /** How variants are drawn: independently (`seeded`), by the formula of agentd (`reference`), or not at all: every sequence of answers is run once (`exhaustive`). */
  readonly sampler?: Sampler;
  /** Where its plug-ins run: in a `thread`, or in a `process` of their own; replaces the run's. */
  readonly isolation?: Isolation;
  /** Ask and do nothing: policy judges each request, and what was asked stands in place of its answer. */
  readonly dryRun?: boolean;
  /** The workflow as TOML text, as an object, or as a file relative to the working directory. */
  readonly workflow:
    | {
        /** The workflow itself, as TOML text. */
        readonly inline: string | WorkflowDefinition;
      }
    | {
        /** File with the workflow, relative to this file. */
        readonly path: string;
      };
  /** What starts the run. */
  readonly trigger?: {
    /** What `trigger.kind` says; default `manual`. */
    readonly kind?: TriggerKind;
    /** Name of the start node; left out: the first. */
    readonly start?: string;
    /** The input of the run; left out: null. For cron {scheduled_at = …, schedule = …}, for fs_watch {path = …, event = …}. */
    readonly payload?: unknown;
  };
  /** The canned model. */
  readonly intel?: {
    /** Answers in the order in which they are asked for. */
    readonly turns?: readonly TurnDefinition[];
  };
  /** What the subject may do. Absent: everything. Present: only what a list allows. */
  readonly policy?: PolicyDefinition;
  /** What goes wrong in every trial. */
  readonly faults?: {
    /** The n-th model request of each trial fails; counts from 1, 0 never. */
    readonly intelErrorOnCall?: number;
  };
  /** What stands in for the outside world. */
  readonly world?: WorldDefinition;
  /** What must hold after every trial. What is left out is not asserted. */
  readonly expected?: ExpectedDefinition;
}

/** A workflow as an object: the keys of a workflow document in camelCase. */
export interface WorkflowDefinition {
  /** Name of the workflow. */
  readonly name: string;
  /** What it is for. */
  readonly description?: string;
  /** Where runs begin. */
  readonly startNodes?: readonly StartNodeDefinition[];
  /** The steps. */
  readonly nodes?: readonly NodeDefinition[];
  /** The connections. */
  readonly edges?: readonly EdgeDefinition[];
  /** What the subject may do. Absent: everything. Present: only what a list allows. */
  readonly policy?: PolicyDefinition;
  /** MCP servers. */
  readonly mcpServers?: readonly McpServerDefinition[];
  /** Caps over a whole run. */
  readonly budget?: BudgetDefinition;
  /** Model backends; trials answer them from `[[intel.turns]]`. */
  readonly intelligence?: IntelligenceDefinition;
}

/** A node: its `type` says which further keys it has. Types that `NodeKeys` does not list are compile errors. */
export type NodeDefinition = { readonly [Type in keyof NodeKeys]: NodeBase<Type> & NodeKeys[Type] }[keyof NodeKeys];

/** What every node has, whatever its type. */
export interface NodeBase<Type extends string> {
  /** Name of the node: edges, paths and expectations refer to it. */
  readonly id: string;
  /** What the node does. */
  readonly type: Type;
  /** Tries the node again after an error; denials are never retried. */
  readonly retry?: RetryDefinition;
}

/** One answer of a turn. */
export interface VariantDefinition {
  /** The answer. */
  readonly content: string;
  /** Tokens the prompt is said to have; default 0. */
  readonly promptTokens?: number;
  /** Tokens the answer is said to have; default 0. */
  readonly completionTokens?: number;
  /** Relative chance of being drawn; default 1. */
  readonly weight?: number;
  /** A fault's type, or a table with `type` and its settings. */
  readonly fault?:
    | string
    | {
        /** The type of the fault. */
        readonly type: string;
        readonly [key: string]: unknown;
      };
}

/** One canned model answer, or several variants of it. */
export interface TurnDefinition extends Partial<Omit<VariantDefinition, 'weight'>> {
  /** Keeps draws paired when turns are added or moved. */
  readonly id?: string;
  /** Serves only the requests of this node; left out: the next request that is not addressed. */
  readonly node?: string;
  /** Keeps serving its node instead of being used once. */
  readonly repeat?: boolean;
  /** The answers one is drawn from; replaces content. */
  readonly variants?: readonly VariantDefinition[];
}

/** Types a scenario that is made in memory; it is checked when it is loaded, like a file. */
export function defineScenario(definition: ScenarioDefinition): ScenarioDefinition {
  return definition;
}
