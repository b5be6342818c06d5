import type { NodeKeys } from '../types/definitions/node-keys.ts';
import type {
  BudgetDefinition,
  EdgeDefinition,
  IntelligenceDefinition,
  McpServerDefinition,
  RetryDefinition,
  StartNodeDefinition,
} from '../types/definitions/workflow-tables.ts';
import type { Isolation } from '../types/isolation.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Origin, SuiteName } from '../types/release/origin.ts';
import type { Sampler } from '../types/scenario.ts';
import type { CounterName, StoppedBy, SubjectStatus } from '../types/trial.ts';
import type { TriggerKind } from '../types/trigger.ts';
import type { RequestsDefinition } from './define-requests.ts';
import type { WorldDefinition } from './define-world.ts';

/** A scenario made in memory: the keys of a scenario file in camelCase, with the same meaning and the same checks. */
export interface ScenarioDefinition {
  readonly name: string;
  readonly description?: string;
  readonly capabilities?: readonly string[];
  readonly tags?: readonly string[];
  readonly suite?: SuiteName;
  readonly provenance?: Omit<Origin, 'suite' | 'attack'>;
  readonly attack?: Origin['attack'];
  readonly trials?: number;
  readonly minPassRate?: number;
  readonly timeoutSecs?: number;
  readonly timeoutMs?: number;
  readonly seed?: number;
  readonly sampler?: Sampler;
  readonly isolation?: Isolation;
  readonly dryRun?: boolean;
  /** The workflow as TOML text, as an object, or as a file relative to the working directory. */
  readonly workflow: { readonly inline: string | WorkflowDefinition } | { readonly path: string };
  readonly trigger?: {
    readonly kind?: TriggerKind;
    readonly start?: string;
    readonly payload?: unknown;
  };
  readonly intel?: { readonly turns?: readonly TurnDefinition[] };
  readonly policy?: PolicyDefinition;
  readonly faults?: { readonly intelErrorOnCall?: number };
  readonly world?: WorldDefinition;
  readonly expected?: ExpectedDefinition;
}

/** A workflow as an object: the keys of a workflow document in camelCase. */
export interface WorkflowDefinition {
  readonly name: string;
  readonly description?: string;
  readonly startNodes?: readonly StartNodeDefinition[];
  readonly nodes?: readonly NodeDefinition[];
  readonly edges?: readonly EdgeDefinition[];
  readonly policy?: PolicyDefinition;
  readonly mcpServers?: readonly McpServerDefinition[];
  readonly budget?: BudgetDefinition;
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
  readonly content: string;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly weight?: number;
  /** A fault's type, or a table with `type` and its settings. */
  readonly fault?: string | { readonly type: string; readonly [key: string]: unknown };
}

/** One canned model answer, or several variants of it. */
export interface TurnDefinition extends Partial<Omit<VariantDefinition, 'weight'>> {
  readonly id?: string;
  readonly node?: string;
  readonly repeat?: boolean;
  readonly variants?: readonly VariantDefinition[];
}

/** The subject's allowlists; whatever is left out is denied. */
export interface PolicyDefinition {
  readonly fs?: {
    readonly read?: readonly string[];
    readonly write?: readonly string[];
    readonly delete?: readonly string[];
    readonly list?: readonly string[];
  };
  readonly env?: { readonly readKeys?: readonly string[] };
  readonly http?: { readonly urls?: readonly string[]; readonly methods?: readonly string[] };
  readonly shell?: { readonly commands?: readonly string[] };
  readonly mcp?: {
    readonly servers?: readonly string[];
    readonly tools?: readonly string[];
    readonly resources?: readonly string[];
  };
}

/** Tests of one value; several may stand together. */
export interface ValueTestsDefinition {
  readonly path?: string;
  readonly equals?: Json;
  readonly notEquals?: Json;
  /** JSON text of what the value must be. */
  readonly equalsJson?: string;
  readonly contains?: string;
  readonly matches?: string;
  readonly above?: number | string;
  readonly below?: number | string;
  readonly in?: readonly Json[];
  readonly exists?: boolean;
  /** A JSON Schema, or the file it stands in. */
  readonly schema?: string | JsonObject;
}

/** The counters by which `min…` and `max…` expectations go; `llmTokens` is called `TotalTokens` there. */
type BoundName = Capitalize<Exclude<CounterName, 'llmTokens'>> | 'TotalTokens';

/** What must hold after every trial. */
export type ExpectedDefinition = {
  readonly status?: SubjectStatus;
  readonly stoppedBy?: StoppedBy;
  readonly lastNode?: string;
  readonly erroredNode?: string;
  readonly reasonContains?: string;
  readonly reasonEquals?: string;
  readonly reasonMatches?: string;
  readonly path?: readonly string[];
  readonly pathExact?: boolean;
  readonly forbiddenNodes?: readonly string[];
  /** Judges of the configuration that must find their criteria met. */
  readonly judges?: readonly string[];
  /** Answers that judges must find worse than the trial's. */
  readonly prefers?: readonly { readonly judge: string; readonly over: string; readonly ties?: boolean }[];
  /** Contexts that must support the final value: texts, and last outputs of nodes. A heuristic where no judge verifies it. */
  readonly faithful?: {
    readonly judge?: string;
    readonly texts?: readonly string[];
    readonly nodes?: readonly string[];
    readonly minScore?: number;
    readonly minClaims?: number;
  };
  readonly branches?: Readonly<Record<string, string | readonly string[]>>;
  readonly final?: ValueTestsDefinition;
  readonly values?: readonly (ValueTestsDefinition & { readonly node?: string })[];
  readonly respond?:
    | 'none'
    | {
        readonly status?: number;
        readonly contentType?: string;
        readonly body?: string;
        readonly bodyContains?: string;
        readonly bodyMatches?: string;
      };
  readonly prompts?: readonly {
    readonly node?: string;
    readonly call?: number;
    readonly contains?: string;
    readonly notContains?: string;
    readonly matches?: string;
  }[];
  readonly files?: {
    readonly exist?: readonly string[];
    readonly absent?: readonly string[];
    readonly contain?: Readonly<Record<string, string>>;
  };
} & RequestsDefinition & { readonly [K in `${'min' | 'max'}${BoundName}`]?: number };

/** Types a scenario that is made in memory; it is checked when it is loaded, like a file. */
export function defineScenario(definition: ScenarioDefinition): ScenarioDefinition {
  return definition;
}
