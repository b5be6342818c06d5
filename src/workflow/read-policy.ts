import type { Json, JsonObject } from '../types/json.ts';
import type { Policy } from '../types/policy.ts';

/** A checked `[policy]` table as the policy it means; lists that are left out are empty. */
export function readPolicy(table: JsonObject): Policy {
  const fs = family(table.fs);
  const http = family(table.http);
  const mcp = family(table.mcp);
  return {
    fs: { read: list(fs.read), write: list(fs.write), delete: list(fs.delete), list: list(fs.list) },
    env: { readKeys: list(family(table.env).read_keys) },
    http: { urls: list(http.urls), methods: list(http.methods) },
    shell: { commands: list(family(table.shell).commands) },
    mcp: { servers: list(mcp.servers), tools: list(mcp.tools), resources: list(mcp.resources) },
  };
}

function family(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function list(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
