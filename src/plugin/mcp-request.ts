import type { Json, JsonObject } from '../types/json.ts';

export interface McpRequest {
  readonly port: 'mcp';
  /** Whether a tool is called or a resource is read. */
  readonly op: 'tool' | 'resource';
  /** Null: the only declared server. */
  readonly server: string | null;
  /** Tool name or resource URI. */
  readonly target: string;
  /** The arguments of the tool; null for a resource. */
  readonly args: Json;
  /** The same request goes on after what the server asked; absent: it begins. */
  readonly resume?: McpResume;
}

/** What a server asked while it worked on a request is answered. */
export interface McpResume {
  /** As the reply `asked` carried it. */
  readonly state: Json;
  /** By the keys of its questions. */
  readonly answers: Readonly<Record<string, McpAnswer>>;
}

/** The result that the protocol has for a question, or why there is none. */
export type McpAnswer =
  | {
      /** The answer. */
      readonly result: JsonObject;
    }
  | {
      /** Why there is no answer. */
      readonly problem: string;
    };

/** What a server of MCP wants before it goes on. */
export interface McpQuestion {
  /** The server's own name for the question. */
  readonly key: string;
  /** `sampling`: an answer of a model; `elicitation`: data of a user, by a form. */
  readonly kind: 'sampling' | 'elicitation';
  /** As the protocol has them. */
  readonly params: JsonObject;
}
