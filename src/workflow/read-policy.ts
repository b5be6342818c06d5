import type { JsonObject } from '../types/json.ts';
import type { Policy } from '../types/policy.ts';
import { tableAt, textsAt } from './raw-data.ts';

/** A checked `[policy]` table as the policy it means; lists that are left out are empty. */
export function readPolicy(table: JsonObject): Policy {
  const fs = tableAt(table, 'fs');
  const http = tableAt(table, 'http');
  const mcp = tableAt(table, 'mcp');
  return {
    fs: {
      read: textsAt(fs, 'read'),
      write: textsAt(fs, 'write'),
      delete: textsAt(fs, 'delete'),
      list: textsAt(fs, 'list'),
    },
    env: { readKeys: textsAt(tableAt(table, 'env'), 'read_keys') },
    http: { urls: textsAt(http, 'urls'), methods: textsAt(http, 'methods') },
    shell: { commands: textsAt(tableAt(table, 'shell'), 'commands') },
    mcp: { servers: textsAt(mcp, 'servers'), tools: textsAt(mcp, 'tools'), resources: textsAt(mcp, 'resources') },
  };
}
