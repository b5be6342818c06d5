import { compileJsonSchema } from '../../engine/compile-json-schema.ts';
import { compileWorld } from '../../sessions/world/declared-world.ts';
import { goldStateIn } from '../../sessions/world/gold-state.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { policing } from '../../trial/session/policed-world.ts';
import type { JsonObject } from '../../types/json.ts';
import type { Policy } from '../../types/policy.ts';
import type { ToolCall } from '../../types/session.ts';
import type { DeclaredWorld } from '../../types/sessions/declared-world.ts';
import type { Report } from '../../workflow/report.ts';

/** Where gold calls are carried out. */
export interface GoldWorld {
  readonly world: DeclaredWorld;
  /** Null: every tool may be called. */
  readonly policy: Policy | null;
}

/**
 * The state that the gold calls make of a fresh world, carried out in their order; null where one of them fails or is denied,
 * which is told at its place: a task whose own solution does not work can be solved by nobody.
 */
export function carryOutGold(
  calls: readonly ToolCall[],
  { world, policy }: GoldWorld,
  at: Pointer,
  report: Report,
): JsonObject | null {
  const compiled = compileWorld(world, compileJsonSchema);
  const made = goldStateIn(policy === null ? compiled : policing(policy, world.tools)(compiled), calls);
  if (made.ok) return made.state;
  report({
    code: 'gold_fails',
    message: `This gold call fails on a fresh world: ${made.reason}`,
    at: [...at, 'calls', made.call],
    hint: 'Correct the call, the state, the tool, or the policy.',
  });
  return null;
}
