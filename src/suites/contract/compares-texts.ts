import { invariantTypeOf } from '../../checks/invariants/builtin.ts';
import type { Invariant } from '../../types/invariant.ts';

/** True for rules that measure how alike two texts are. */
export function comparesTexts({ rule }: Invariant): boolean {
  return invariantTypeOf(rule)?.comparesTexts === true;
}
