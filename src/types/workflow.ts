import type { JsonObject } from './json.ts';
import type { ModelProvider } from './model-endpoint.ts';
import type { Policy } from './policy.ts';

/** A workflow as plain data: parsed, normalised to camelCase, validated, frozen. */
export interface Workflow {
  /** The name of the workflow. */
  readonly name: string;
  /** What it is for. */
  readonly description?: string;
  /** The nodes that it may start at. */
  readonly startNodes: readonly StartNode[];
  /** The nodes. */
  readonly nodes: readonly WorkflowNode[];
  /** The edges. */
  readonly edges: readonly WorkflowEdge[];
  /** The workflow's own policy; a scenario's policy replaces it whole. */
  readonly policy?: Policy;
  /** The MCP servers that its nodes may ask. */
  readonly mcpServers: readonly McpServer[];
  /** The limits of a run. */
  readonly budget?: Budget;
  /** The declared model backends, besides `default`. */
  readonly backends: readonly WorkflowBackend[];
  /** The triggers, as written. */
  readonly triggers: readonly JsonObject[];
  /** The HTTP routes, as written. */
  readonly httpRoutes: readonly JsonObject[];
  /** Where secrets of headers and variables are kept; absent: all of them in the environment. */
  readonly secrets?: readonly SecretSource[];
}

/** One of `[[secrets]]`: its name, and where its value is kept. The value itself is never here. */
export type SecretSource =
  | {
      /** The name of the secret. */
      readonly name: string;
      readonly source: 'env';
      /** The environment variable that holds it. */
      readonly variable: string;
    }
  | {
      /** The name of the secret. */
      readonly name: string;
      readonly source: 'file';
      /** The file that holds it. */
      readonly path: string;
      /** True: white space around it is removed. */
      readonly trim: boolean;
    }
  | {
      /** The name of the secret. */
      readonly name: string;
      readonly source: 'command';
      /** The program that prints it, with its arguments. */
      readonly argv: readonly string[];
    }
  | {
      /** The name of the secret. */
      readonly name: string;
      readonly source: 'oauth2';
      /** The address that gives out tokens. */
      readonly tokenUrl: string;
      /** The environment variable with the client's id. */
      readonly clientIdEnv: string;
      /** The environment variable with the client's secret. */
      readonly clientSecretEnv: string;
      /** The scopes to ask for. */
      readonly scopes: readonly string[];
      /** Further parameters of the request, by name. */
      readonly extraParams: Readonly<Record<string, string>>;
      /** Words such as `body` or `post`: the credentials stand in the body; else in a header. */
      readonly authStyle?: string;
      /** A token is renewed so long before its end. */
      readonly skewSecs: number;
    };

/** A model as a workflow names it; asked only where the user grants its host and its variable. */
export interface WorkflowBackend {
  /** The name of the backend. */
  readonly name: string;
  /** The provider. */
  readonly provider: ModelProvider;
  /** The model; absent: the provider's default. */
  readonly model?: string;
  /** The environment variable with the key. */
  readonly apiKeyEnv?: string;
  /** The address of the API; absent: the provider's own. */
  readonly baseUrl?: string;
  /** The most tokens of a completion. */
  readonly maxTokens?: number;
}

export interface StartNode {
  /** The name of the node. */
  readonly name: string;
  /** What starts the workflow there. */
  readonly source: 'event' | 'http' | 'manual';
  /** Absent: the only node without incoming edges. */
  readonly entryNode?: string;
}

export interface WorkflowNode {
  /** The id of the node. */
  readonly id: string;
  /** The type of the node. */
  readonly type: string;
  /** When and how often it is tried again. */
  readonly retry?: Retry;
  /** The type's own keys, in camelCase. */
  readonly config: JsonObject;
}

export interface Retry {
  /** At least 1. */
  readonly maxAttempts: number;
  /** Wait before attempt k + 1 is `backoffMs` × k. */
  readonly backoffMs: number;
  /** `transient`: tool, intelligence and MCP errors only. Denials are never retried. */
  readonly on: 'any' | 'transient';
  /** The wait is multiplied by a factor in [1 − jitter, 1 + jitter]; 0 to 0.5. */
  readonly jitter: number;
}

export interface WorkflowEdge {
  /** The node that the edge leaves. */
  readonly from: string;
  /** The node that the edge leads to. */
  readonly to: string;
  /** The branch label this edge answers to; absent: followed when the node gave no label. */
  readonly when?: string;
  /** Makes it a loop edge that can be followed this often in one walk. */
  readonly maxIterations?: number;
}

/** Started as a program with a `command`, or else reached at a `url`. */
export interface McpServer {
  /** The name of the server. */
  readonly name: string;
  /** Program and arguments; empty for a server with a `url`. */
  readonly command: readonly string[];
  /** Where it speaks streamable HTTP. */
  readonly url?: string;
  /** Sent to the `url` with each request; values may hold `{{secret:NAME}}`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Globs of tools that may be called. */
  readonly allowTools: readonly string[];
  /** Globs of resources that may be read. */
  readonly allowResources: readonly string[];
  /** The backend that answers when the server asks for a model (`sampling`); absent: none does. */
  readonly sampling?: string;
  /** The whole environment of the program but PATH; values may hold `{{secret:NAME}}`. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Budget {
  /** The most tokens of models. */
  readonly maxLlmTokens?: number;
  /** The most that may be written to files, in MB. */
  readonly maxFsWriteMb?: number;
  /** The longest run, in seconds. */
  readonly maxRunTimeSecs?: number;
  /** The most memory, in MB. */
  readonly maxMemoryMb?: number;
  /** The most processor time, in seconds. */
  readonly maxCpuSecs?: number;
}
