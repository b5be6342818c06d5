/** False: nothing; true: everything; else exactly what is listed. */
export type Grant = boolean | readonly string[];

/**
 * What passk may do on this machine, granted by the user only (`--allow-*` or `[allow]` in passk.toml), never by a
 * scenario. It says nothing about what the subject's policy allows: both must.
 */
export interface Permissions {
  /** `host`, `host:port`, `*.host`; private addresses only where named. */
  readonly net: Grant;
  /** Programs by name or absolute path. */
  readonly run: Grant;
  /** Names of environment variables. */
  readonly env: Grant;
  /** Folders and files, absolute. */
  readonly read: Grant;
  /** Folders and files, absolute. */
  readonly write: Grant;
}

/** Ports that can be answered by the real world, in the order in which reports name them. */
export type EffectPort = 'http' | 'process' | 'mcp' | 'env' | 'file';

/** What a worker is told of the real world. */
export interface GrantedWorld {
  readonly permissions: Permissions;
  /** Absolute folder that names of scenario files are relative to. */
  readonly root: string;
  /** The run that servers are told they are asked in, with scenario and trial; absent: they are told nothing. */
  readonly traceRun?: string;
}

/** Which MCP servers outlive a piece of a run. */
export interface KeptForRun {
  /** A number of the run, which no other run has. */
  readonly run: number;
  /** Those that a later piece may ask, as `mcpIdentity` gives them; null: any. */
  readonly needed: readonly string[] | null;
}
