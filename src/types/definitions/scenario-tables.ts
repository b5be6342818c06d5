// Made from the schemas of what stands in files by `npm run schemas`; a test fails until it is.

/** What the subject may do. Absent: everything. Present: only what a list allows. */
export interface PolicyDefinition {
  /** Files. */
  readonly fs?: {
    /** Paths that may be read; `dir/**` allows everything below a folder. */
    readonly read?: readonly string[];
    /** Paths that may be written or created. */
    readonly write?: readonly string[];
    /** Paths that may be deleted; no node deletes. */
    readonly delete?: readonly string[];
    /** Folders that may be listed; no node lists. */
    readonly list?: readonly string[];
  };
  /** Environment. */
  readonly env?: {
    /** Environment variables that may be read; `PREFIX_*` allows a family. */
    readonly readKeys?: readonly string[];
  };
  /** HTTP requests. */
  readonly http?: {
    /** URLs that may be requested; `https://host/**` allows everything below. */
    readonly urls?: readonly string[];
    /** Methods that may be used; empty: any. */
    readonly methods?: readonly string[];
  };
  /** Programs. */
  readonly shell?: {
    /** Programs that may be run, as absolute paths. */
    readonly commands?: readonly string[];
  };
  /** MCP servers. */
  readonly mcp?: {
    /** Accepted for compatibility; not used. */
    readonly servers?: readonly string[];
    /** MCP tools that may be called. */
    readonly tools?: readonly string[];
    /** MCP resources that may be read. */
    readonly resources?: readonly string[];
  };
}

/** Where the scenario comes from, and who answers for it. */
export interface ProvenanceDefinition {
  /** Where it comes from. */
  readonly source?: {
    /** Whether it was written, recorded, made by a generator, or taken over. */
    readonly kind: 'curated' | 'trace' | 'generated' | 'imported';
    /** Of a trace: its id where it was recorded. */
    readonly traceId?: string;
    /** A name by which the source can be found. */
    readonly reference?: string;
    /** The licence of what was taken over. */
    readonly licence?: string;
  };
  /** Who looked at it last. */
  readonly review?: {
    /** Who looked at it. */
    readonly by: string;
    /** When. A day, such as 2026-11-25. */
    readonly at: string;
    /** The release for which it was looked at. */
    readonly release: string;
  };
  /** Why a trace may be used. */
  readonly consent?: {
    /** The policy by which it may be used. */
    readonly policy: string;
    /** Why that policy allows it. */
    readonly basis: string;
    /** Since when. A day, such as 2026-11-25. */
    readonly at: string;
  };
  /** That personal data was taken out of a trace. */
  readonly scrub?: {
    /** When. A day, such as 2026-11-25. */
    readonly at: string;
    /** How many pieces of personal data were taken out. */
    readonly removed: number;
  };
  /** When it was last renewed. A day, such as 2026-11-25. */
  readonly refreshed?: string;
  /** Scenarios of one family are alike, such as paraphrases of one task. */
  readonly family?: string;
}
