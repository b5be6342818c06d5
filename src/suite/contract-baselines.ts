import { takesBaseline } from '../checks/invariants/builtin.ts';
import { PasskError } from '../errors.ts';
import { deriveWords } from '../random/draw.ts';
import type { InspectedTrial } from '../trial/program.ts';
import type { Invariant } from '../types/invariant.ts';
import { isWorkflowPlan } from '../types/subjects.ts';
import type { RunPlan, ScenarioPlan, WorkflowPlan } from '../types/plan.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { outcomeAnswer } from '../trial/record/outcome-answer.ts';
import { runsInline } from '../pool/executor.ts';

/**
 * The plan with what its workflows answer to each prompt while nothing goes wrong, where an invariant asks that chaos
 * changes nothing. It depends on contract, prompt and seed only, so every column, shard and trace gets the same text.
 * Throws `USAGE` where the outside world answers, since nobody knows what it would say.
 */
export async function withBaselines(plan: RunPlan, options: ResolvedRunOptions): Promise<RunPlan> {
  requireKnown(plan.scenarios.filter((one) => asksBaseline(one) && !one.traits.repeatable));
  const answers = new Map<string, string | null>();
  const scenarios: ScenarioPlan[] = [];
  for (const one of plan.scenarios) {
    if (!asksBaseline(one)) {
      scenarios.push(one);
      continue;
    }
    const clean = cleanPlan(one, options);
    const { name } = clean.scenario;
    if (!answers.has(name)) answers.set(name, await cleanAnswer(clean, plan, options));
    const baseline = answers.get(name) ?? null;
    scenarios.push(baseline === null ? one : withBaseline(one, baseline));
  }
  return { ...plan, scenarios };
}

function requireKnown(unknown: readonly ScenarioPlan[]): void {
  const contracts = [...new Set(unknown.map(({ scenario }) => scenario.part?.of ?? scenario.name))];
  if (contracts.length === 0) return;
  const names = contracts.map((name) => `"${name}"`).join(', ');
  throw new PasskError(
    'USAGE',
    `behavior_unchanged with \`baseline = "auto"\` needs a workflow that the plan alone answers, which that of ${names} is not.`,
    { hint: 'Write the answer to be like as `baseline`, or run the contract without --live and without grants.' },
  );
}

function asksBaseline(plan: ScenarioPlan): plan is WorkflowPlan {
  // The host calls agents, so it also asks them for their baseline.
  const { invariants } = plan.scenario.expected;
  return isWorkflowPlan(plan) && invariants?.list.some(({ rule }) => takesBaseline(rule)) === true;
}

/** The same prompt in a world without chaos, with draws of its own. */
function cleanPlan(plan: WorkflowPlan, { seed }: ResolvedRunOptions): ScenarioPlan {
  const { dedupe: _, scenario, ...rest } = plan;
  const { chaos: __, ...faults } = scenario.faults;
  const { invariants: ___, ...expected } = scenario.expected;
  const { part, namesInFile, subject } = scenario;
  const suffix = `: baseline of ${JSON.stringify([subject.prompt ?? ''])}`;
  return {
    ...rest,
    scenario: { ...scenario, name: `${part?.of}${suffix}`, faults, expected },
    words: deriveWords(scenario.seed ?? seed, `${namesInFile?.definition ?? part?.of}${suffix}`),
    trials: 1,
  };
}

async function cleanAnswer(
  clean: ScenarioPlan,
  { plugins }: RunPlan,
  options: ResolvedRunOptions,
): Promise<string | null> {
  const { result } = await inspectFirst(clean, plugins, options);
  return result.outcome === null ? null : outcomeAnswer(result.outcome);
}

async function inspectFirst(
  clean: ScenarioPlan,
  plugins: readonly string[],
  options: ResolvedRunOptions,
): Promise<InspectedTrial> {
  if (runsInline(clean)) {
    const { BuiltInInspector } = await import('../pool/inspect-built-in.ts');
    return new BuiltInInspector(clean, options).inspect(0);
  }
  const { inspectInWorker } = await import('../pool/inspect-in-worker.ts');
  return inspectInWorker({ plan: clean, plugins, granted: null, trial: 0, tape: null, judgeTape: null }, options);
}

function withBaseline(plan: ScenarioPlan, baseline: string): ScenarioPlan {
  const { scenario } = plan;
  const { invariants } = scenario.expected;
  if (invariants === undefined) return plan;
  const list = invariants.list.map((invariant): Invariant => {
    const { rule } = invariant;
    if (rule.type !== 'behavior_unchanged' || rule.baseline !== null) return invariant;
    return { ...invariant, rule: { ...rule, baseline } };
  });
  return {
    ...plan,
    scenario: { ...scenario, expected: { ...scenario.expected, invariants: { ...invariants, list } } },
  };
}
