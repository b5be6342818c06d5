import type { RunPlan } from '../types/plan.ts';
import type { ModelPin } from '../types/release/eval-body.ts';

/** A date or a digest in the name of a model: `-2024-08-06`, `-20250929`, `-0613`, `@sha256:…`. */
const PINNED = /(?:[-@]\d{4}-\d{2}-\d{2}|[-@]\d{8}|-\d{4}|@?sha256[:-][0-9a-f]{12,})(?:$|[-:@])/;

/** The models of a candidate: those that were really asked, and those that its settings name. By role. */
export function modelPins(plan: RunPlan, named: Readonly<Record<string, string>>): readonly ModelPin[] {
  const models = new Map(Object.entries(named));
  for (const { liveEndpoints = {} } of plan.scenarios) {
    for (const [role, { endpoint }] of Object.entries(liveEndpoints)) models.set(role, endpoint.model);
  }
  return [...models]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([role, model]) => ({ role, model, isFloating: !PINNED.test(model) }));
}
