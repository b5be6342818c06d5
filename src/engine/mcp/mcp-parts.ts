import type { DoneMove } from '../../plugin/node-type.ts';
import type { Json } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';

/** Finishes with a tool's result; one that calls itself an error takes the branch `error`. */
export function mcpDone(result: Json): DoneMove {
  const failed = isJsonObject(result) && result['is_error'] === true;
  return failed ? { kind: 'done', output: result, branch: 'error' } : { kind: 'done', output: result };
}

/** The server that answers: the named one, else the only one; or why there is none. */
export function chooseServer(named: string | undefined, servers: readonly string[]): Choice {
  const serverNames = [...new Set(servers)];
  const [only] = serverNames;
  if (named !== undefined) {
    if (serverNames.includes(named)) return { ok: true, server: named };
    return { ok: false, problem: `unknown mcp server \`${named}\`; configured: [${serverNames.join(', ')}]` };
  }
  if (only === undefined) return { ok: false, problem: 'no mcp_servers configured' };
  return serverNames.length === 1 ? { ok: true, server: only } : { ok: false, problem: '`server` field required' };
}

export type Choice = { readonly ok: true; readonly server: string } | { readonly ok: false; readonly problem: string };
