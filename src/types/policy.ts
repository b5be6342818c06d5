/**
 * The subject's allowlists: the thing under test, never passk's own permissions.
 * Absent altogether: everything is allowed. Present: whatever no pattern allows is denied.
 */
export interface Policy {
  /** What files may be touched. */
  readonly fs: {
    /** Globs of files that may be read. */
    readonly read: readonly string[];
    /** Globs of files that may be written. */
    readonly write: readonly string[];
    /** Globs of files that may be deleted. */
    readonly delete: readonly string[];
    /** Globs of folders that may be listed. */
    readonly list: readonly string[];
  };
  /** What of the environment may be read. */
  readonly env: {
    /** Globs of variables that may be read. */
    readonly readKeys: readonly string[];
  };
  /** What HTTP requests may be sent. */
  readonly http: {
    /** Globs of URLs. */
    readonly urls: readonly string[];
    /** Methods. */
    readonly methods: readonly string[];
  };
  /** What programs may be started. */
  readonly shell: {
    /** Globs of commands. */
    readonly commands: readonly string[];
  };
  /** What MCP servers may be asked. */
  readonly mcp: {
    /** Globs of names of servers. */
    readonly servers: readonly string[];
    /** Globs of names of tools. */
    readonly tools: readonly string[];
    /** Globs of URIs of resources. */
    readonly resources: readonly string[];
  };
}
