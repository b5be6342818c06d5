import type { Invariant } from '../types/invariant.ts';

/** True for rules that measure how alike two texts are. */
export function comparesTexts({ rule: { type } }: Invariant): boolean {
  return type === 'similarity' || type === 'behavior_unchanged';
}
