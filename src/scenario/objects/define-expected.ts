import type { PreferenceDefinition } from '../../types/definitions/agent-expected.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { CounterName, StoppedBy, SubjectStatus } from '../../types/trial.ts';
import type { RequestsDefinition } from './define-requests.ts';

/** Tests of one value; several may stand together. */
export interface ValueTestsDefinition {
  /** Dotted path inside the value; left out: all of it. */
  readonly path?: string;
  /** The value must be exactly this. */
  readonly equals?: Json;
  /** The value must be anything but this. */
  readonly notEquals?: Json;
  /** JSON text of what the value must be. */
  readonly equalsJson?: string;
  /** The text of the value must contain this. */
  readonly contains?: string;
  /** The text of the value must match this pattern (RE2 syntax). */
  readonly matches?: string;
  /** A number or text that the value must be above. */
  readonly above?: number | string;
  /** A number or text that the value must be below. */
  readonly below?: number | string;
  /** Values of which it must be one. */
  readonly in?: readonly Json[];
  /** Whether there must be such a value; false: a key or node that must be absent. */
  readonly exists?: boolean;
  /** A JSON Schema, or the file it stands in. */
  readonly schema?: string | JsonObject;
}

/** The counters by which `min…` and `max…` expectations go; `llmTokens` is called `TotalTokens` there. */
type BoundName = Capitalize<Exclude<CounterName, 'llmTokens'>> | 'TotalTokens';

/** What must hold after every trial. */
export type ExpectedDefinition = {
  /** How the run must end. */
  readonly status?: SubjectStatus;
  /** What must have stopped it; tells a dead end from an intended end. */
  readonly stoppedBy?: StoppedBy;
  /** The last node entered. */
  readonly lastNode?: string;
  /** The node at which an errored run must have stopped. */
  readonly erroredNode?: string;
  /** Text that the reason of a failed run, or an errored run's message, must contain. */
  readonly reasonContains?: string;
  /** The whole reason or message. */
  readonly reasonEquals?: string;
  /** Pattern that the reason or message must match (RE2 syntax). */
  readonly reasonMatches?: string;
  /** Nodes in visit order: the run must begin with them. */
  readonly path?: readonly string[];
  /** The run must visit exactly `path`. */
  readonly pathExact?: boolean;
  /** Nodes that must not run. */
  readonly forbiddenNodes?: readonly string[];
  /** Functions of your own that look at the record of a trial. */
  readonly checks?: readonly (ModuleCheckDefinition | PluginCheckDefinition)[];
  /** Judges of the configuration that must find their criteria met. */
  readonly judges?: readonly string[];
  /** Answers that judges must find worse than the trial's. */
  readonly prefers?: readonly PreferenceDefinition[];
  /** Contexts that must support the final value: texts, and last outputs of nodes. A heuristic where no judge verifies it. */
  readonly faithful?: {
    /** A judge of the configuration that verifies each claim; absent: a heuristic check of facts. */
    readonly judge?: string;
    /** Contexts as they stand here. */
    readonly texts?: readonly string[];
    /** Nodes of a workflow whose last outputs are contexts. */
    readonly nodes?: readonly string[];
    /** The share of claims that must be supported, of those that have facts; default 1. With `judge` it stands there. */
    readonly minScore?: number;
    /** Claims that must be there, without `judge` with facts; default 1, since fewer say nothing of the answer. */
    readonly minClaims?: number;
  };
  /** Branch labels that must be taken, by node. */
  readonly branches?: Readonly<Record<string, string | readonly string[]>>;
  /** Tests of the final value. */
  readonly final?: ValueTestsDefinition;
  /** Tests of nodes' outputs. */
  readonly values?: readonly (ValueTestsDefinition & {
    /** Node whose last output is tested; left out: the final value. */
    readonly node?: string;
  })[];
  /** Tests of the reply that a respond node shaped, or `none`: there must be no reply. */
  readonly respond?:
    | 'none'
    | {
        /** Status of the reply. */
        readonly status?: number;
        /** Content type of the reply. */
        readonly contentType?: string;
        /** The whole body. */
        readonly body?: string;
        /** Text the body must contain. */
        readonly bodyContains?: string;
        /** Pattern the body must match (RE2 syntax). */
        readonly bodyMatches?: string;
      };
  /** Tests of what the model was sent. */
  readonly prompts?: readonly {
    /** Node whose prompts are tested; left out: any. */
    readonly node?: string;
    /** Which of them, from 1; left out: at least one. */
    readonly call?: number;
    /** Text the prompt must contain. */
    readonly contains?: string;
    /** Text the prompt must not contain. */
    readonly notContains?: string;
    /** Pattern the prompt must match (RE2 syntax). */
    readonly matches?: string;
  }[];
  /** Tests of the files in the trial's world. */
  readonly files?: {
    /** Files that must be there after the run. */
    readonly exist?: readonly string[];
    /** Files that must not be there. */
    readonly absent?: readonly string[];
    /** Text that files must contain, by path. */
    readonly contain?: Readonly<Record<string, string>>;
  };
} & RequestsDefinition & { readonly [K in `${'min' | 'max'}${BoundName}`]?: number };

/** A check that is a function of a module. */
export interface ModuleCheckDefinition {
  /** JavaScript module, relative to the scenario's folder; `permissions.run` grants it. */
  readonly module: string;
  /** The function that it exports; default `default`. */
  readonly export?: string;
  /** The name of the check; absent: that of the file. */
  readonly name?: string;
}

/** A check that is a plug-in. */
export interface PluginCheckDefinition {
  /** The type of a plug-in that judges trials; `plugins` names its module. */
  readonly plugin: string;
  /** What the plug-in is told, with its keys as they stand in files. */
  readonly settings?: JsonObject;
  /** The name of the check; absent: the type of the plug-in. */
  readonly name?: string;
}
