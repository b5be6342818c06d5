import { PasskError } from '../errors.ts';
import { isDrawn } from '../faults/chaos/fault-labels.ts';
import type { Issue } from '../types/issue.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { Scenario } from '../types/scenario.ts';
import { workflowsOf } from '../types/subjects.ts';

/** Throws one `PLAN` error over all scenarios whose answers are to be enumerated and cannot be. */
export function refuseInexact(plans: readonly ScenarioPlan[]): void {
  const issues = plans.flatMap((plan): readonly Issue[] => {
    const why = plan.sampler === 'exhaustive' ? whyInexact(plan) : null;
    if (why === null) return [];
    const { name, file } = plan.scenario;
    const message = `Scenario "${name}" (${file}) cannot be enumerated: ${why}.`;
    return [{ code: 'not_exhaustive', severity: 'error', message, hint: HINT }];
  });
  if (issues.length === 0) return;
  const what = issues.length === 1 ? '1 scenario' : `${issues.length} scenarios`;
  throw new PasskError('PLAN', `The answers of ${what} cannot be enumerated.`, { issues });
}

const HINT = 'Give it sampler = "seeded", which wins over --sampler and samples it.';

/** Null: what its trials do follows from the model's answers alone. */
function whyInexact({ traits, effects = [], liveNodes, judges, scenario }: ScenarioPlan): string | null {
  if (judges !== undefined) return 'a judge is asked about each trial';
  if (!traits.repeatable) {
    if (effects.length > 0) return `the real world may answer it (${effects.join(', ')})`;
    return liveNodes.length > 0 ? 'functions of the host take part in it' : 'live models answer it, not turns';
  }
  const jittered = jitteredNode(scenario);
  if (jittered !== null) return `the back-off of node "${jittered}" has jitter, which is drawn from too many values`;
  return drawsChaos(scenario) ? 'what goes wrong around it is drawn for each call, besides its answers' : null;
}

/** True: trials with the same answers may differ, because something besides the answers is drawn. */
export function isDrawnBesides(scenario: Scenario): boolean {
  return jitteredNode(scenario) !== null || drawsChaos(scenario);
}

function drawsChaos({ faults: { chaos } }: Scenario): boolean {
  return chaos !== undefined && isDrawn(chaos);
}

/** A node that draws its back-off, so that trials with the same answers may differ; null when no node does. */
function jitteredNode({ subject }: Scenario): string | null {
  const nodes = workflowsOf(subject).flatMap((one) => one.nodes);
  const found = nodes.find(({ retry }) => retry !== undefined && retry.maxAttempts > 1 && retry.jitter > 0);
  return found?.id ?? null;
}
