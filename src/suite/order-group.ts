import { agentKey } from '../host/agent-key.ts';
import type { Agent } from '../types/agent.ts';
import type { PlanContext } from './plan/plan-context.ts';

/** What an agent keeps from one call to the next must not depend on which worker was first. Null: it keeps nothing. */
export function orderGroupOf(
  { file, agent }: { readonly file: string; readonly agent: Agent },
  index: number,
  { orderGroups }: PlanContext,
): number | null {
  if (agent.atOnce !== null) return null;
  const key = agentKey(file, agent);
  const orderGroup = orderGroups.get(key) ?? index;
  orderGroups.set(key, orderGroup);
  return orderGroup;
}
