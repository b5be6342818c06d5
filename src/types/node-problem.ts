/** What the schema of a node's keys cannot say of one node. */
export interface NodeProblem {
  /** Stable, machine-readable. */
  readonly code: string;
  /** One sentence. */
  readonly message: string;
  /** Keys and positions inside the node's table, as the file spells them; absent: the node's `id`. */
  readonly at?: readonly (string | number)[];
  /** Mark the key instead of its value. */
  readonly part?: 'key' | 'value';
  /** What to do about it, one sentence; a function is asked only where the problem is listed. */
  readonly hint?: string | (() => string);
  /** Left out: error. */
  readonly severity?: 'error' | 'warning';
}

/** What a check may know of the workflow around a node. */
export interface CheckedNode {
  /** The node's id. */
  readonly id: string;
  /** The workflow's name. */
  readonly workflow: string;
  /** Known model backends, `default` first. */
  readonly backends: readonly string[];
  /** Names of the MCP servers that the workflow declares. */
  readonly mcpServers: readonly string[];
}
