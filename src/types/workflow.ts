import type { JsonObject } from './json.ts';
import type { ModelProvider } from './model-endpoint.ts';
import type { Policy } from './policy.ts';

/** A workflow as plain data: parsed, normalised to camelCase, validated, frozen. */
export interface Workflow {
  readonly name: string;
  readonly description?: string;
  readonly startNodes: readonly StartNode[];
  readonly nodes: readonly WorkflowNode[];
  readonly edges: readonly WorkflowEdge[];
  /** The workflow's own policy; a scenario's policy replaces it whole. */
  readonly policy?: Policy;
  readonly mcpServers: readonly McpServer[];
  readonly budget?: Budget;
  /** The declared model backends, besides `default`. */
  readonly backends: readonly WorkflowBackend[];
  readonly triggers: readonly JsonObject[];
  readonly httpRoutes: readonly JsonObject[];
  /** Where secrets of headers and variables are kept; absent: all of them in the environment. */
  readonly secrets?: readonly SecretSource[];
}

/** One of `[[secrets]]`: its name, and where its value is kept. The value itself is never here. */
export type SecretSource =
  | { readonly name: string; readonly source: 'env'; readonly variable: string }
  | { readonly name: string; readonly source: 'file'; readonly path: string; readonly trim: boolean }
  | { readonly name: string; readonly source: 'command'; readonly argv: readonly string[] }
  | {
      readonly name: string;
      readonly source: 'oauth2';
      readonly tokenUrl: string;
      readonly clientIdEnv: string;
      readonly clientSecretEnv: string;
      readonly scopes: readonly string[];
      readonly extraParams: Readonly<Record<string, string>>;
      /** Words such as `body` or `post`: the credentials stand in the body; else in a header. */
      readonly authStyle?: string;
      /** A token is renewed so long before its end. */
      readonly skewSecs: number;
    };

/** A model as a workflow names it; asked only where the user grants its host and its variable. */
export interface WorkflowBackend {
  readonly name: string;
  readonly provider: ModelProvider;
  readonly model?: string;
  readonly apiKeyEnv?: string;
  readonly baseUrl?: string;
  readonly maxTokens?: number;
}

export interface StartNode {
  readonly name: string;
  readonly source: 'event' | 'http' | 'manual';
  /** Absent: the only node without incoming edges. */
  readonly entryNode?: string;
}

export interface WorkflowNode {
  readonly id: string;
  readonly type: string;
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
  readonly from: string;
  readonly to: string;
  /** The branch label this edge answers to; absent: followed when the node gave no label. */
  readonly when?: string;
  /** Makes it a loop edge that can be followed this often in one walk. */
  readonly maxIterations?: number;
}

/** Started as a program with a `command`, or else reached at a `url`. */
export interface McpServer {
  readonly name: string;
  /** Program and arguments; empty for a server with a `url`. */
  readonly command: readonly string[];
  /** Where it speaks streamable HTTP. */
  readonly url?: string;
  /** Sent to the `url` with each request; values may hold `{{secret:NAME}}`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowTools: readonly string[];
  readonly allowResources: readonly string[];
  /** The backend that answers when the server asks for a model (`sampling`); absent: none does. */
  readonly sampling?: string;
  /** The whole environment of the program but PATH; values may hold `{{secret:NAME}}`. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Budget {
  readonly maxLlmTokens?: number;
  readonly maxFsWriteMb?: number;
  readonly maxRunTimeSecs?: number;
  readonly maxMemoryMb?: number;
  readonly maxCpuSecs?: number;
}
