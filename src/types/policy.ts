/**
 * The subject's allowlists: the thing under test, never passk's own permissions.
 * Absent altogether: everything is allowed. Present: whatever no pattern allows is denied.
 */
export interface Policy {
  readonly fs: {
    readonly read: readonly string[];
    readonly write: readonly string[];
    readonly delete: readonly string[];
    readonly list: readonly string[];
  };
  readonly env: { readonly readKeys: readonly string[] };
  readonly http: { readonly urls: readonly string[]; readonly methods: readonly string[] };
  readonly shell: { readonly commands: readonly string[] };
  readonly mcp: {
    readonly servers: readonly string[];
    readonly tools: readonly string[];
    readonly resources: readonly string[];
  };
}
