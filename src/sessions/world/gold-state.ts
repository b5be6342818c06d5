import type { JsonObject } from '../../types/json.ts';
import type { ToolCall } from '../../types/session.ts';
import { isJsonObject } from '../../values/is-json.ts';
import type { World } from './open-world.ts';
import { WorldError } from './state-place.ts';

/** What gold calls make of a fresh world, or the first of them that fails there. */
export type GoldState =
  | { readonly ok: true; readonly state: JsonObject | null }
  | { readonly ok: false; readonly call: number; readonly reason: string };

/** Carries out gold calls in their order in a fresh world. */
export function goldStateIn(world: World, calls: readonly ToolCall[]): GoldState {
  const opened = world.open();
  for (const [call, { name, args }] of calls.entries()) {
    try {
      const { problem } = opened.call(name, args);
      if (problem !== null) return { ok: false, call, reason: problem };
    } catch (error) {
      if (error instanceof WorldError) return { ok: false, call, reason: error.message };
      throw error;
    }
  }
  return { ok: true, state: isJsonObject(opened.state) ? opened.state : null };
}
