import type { EffectPort, Grant, Permissions } from '../types/permissions.ts';

/** True: at least one thing is granted. An empty list grants nothing. */
export function grantsAnything(grant: Grant): boolean {
  return grant === true || (grant !== false && grant.length > 0);
}

/** True: exactly this word is granted. */
export function grantsWord(grant: Grant, word: string): boolean {
  return grant === true || (grant !== false && grant.includes(word));
}

/** Ports that some grant opens. MCP servers are programs or addresses: either grant may reach one. */
export function grantedPorts({ net, run, env, read, write }: Permissions): ReadonlySet<EffectPort> {
  const ports: readonly (readonly [EffectPort, boolean])[] = [
    ['http', grantsAnything(net)],
    ['process', grantsAnything(run)],
    ['mcp', grantsAnything(run) || grantsAnything(net)],
    ['env', grantsAnything(env)],
    ['file', grantsAnything(read) || grantsAnything(write)],
  ];
  return new Set(ports.flatMap(([port, granted]) => (granted ? [port] : [])));
}
