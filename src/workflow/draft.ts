import type { JsonObject } from '../types/json.ts';
import type { Retry, WorkflowEdge } from '../types/workflow.ts';

/** A workflow as far as it could be read, with the positions of its parts in the document. */
export interface Draft {
  readonly name: string;
  readonly startNodes: readonly DraftStart[];
  readonly nodes: readonly DraftNode[];
  readonly edges: readonly DraftEdge[];
  readonly routes: readonly {
    readonly index: number;
    readonly method: string;
    readonly path: string;
    readonly startNode: string;
  }[];
  readonly triggers: readonly { readonly index: number; readonly startNode: string }[];
  /** Distinct names. */
  readonly mcpServers: readonly string[];
  /** Names of model backends, `default` first. */
  readonly backends: readonly string[];
  /** All declared servers that have a name. */
  readonly mcpServerTables: readonly { readonly index: number; readonly name: string; readonly table: JsonObject }[];
  /** False: parts of the graph could not be read, so questions about all of it have no answer. */
  readonly isComplete: boolean;
}

export interface DraftStart {
  readonly index: number;
  readonly name: string;
  readonly entryNode?: string;
}

export interface DraftNode {
  readonly index: number;
  readonly id: string;
  readonly type: string;
  readonly retry: Retry | null;
  /** The type's own keys in camelCase; null when they are not valid. */
  readonly config: JsonObject | null;
}

export interface DraftEdge extends WorkflowEdge {
  readonly index: number;
}
