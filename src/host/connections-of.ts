import type { Agent } from '../types/agent.ts';

/** How many calls it is asked at a time. One proxy sees one trial, so more need agents that are told a port of their own. */
export function connectionsOf({ atOnce, proxy, target }: Agent, concurrency: number): number {
  const isFixed = proxy !== null && (proxy.port !== 0 || target.kind === 'http');
  return atOnce === null || isFixed ? 1 : Math.min(atOnce, concurrency);
}
