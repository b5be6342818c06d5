import { digestOf } from '../../records/plan-digest.ts';
import type { ResolvedRunOptions } from '../../settings/options.ts';
import { type AuditedTask, TRIVIAL_SUBJECTS, type TrivialSubject } from '../../types/audit/set-audit.ts';
import type { Json } from '../../types/json.ts';
import type { Scenario } from '../../types/scenario.ts';
import { factsOf } from '../../types/subjects.ts';
import { writeJson } from '../../values/exact-json.ts';
import { foldScenario } from '../fold/fold.ts';
import { planRun } from '../plan/plan.ts';
import type { HasProcessCode } from '../../types/scenarios/process-code.ts';
import type { PlanInput } from '../plan/plan-context.ts';
import { createRunner } from '../runner.ts';
import type { FoundTask } from './audit-recorded.ts';
import { goldScenario, kindOfTask, trivialScenario, whyNotTrivial } from './trivial-scenario.ts';

/** What scenarios are judged with: the suite that they are of. */
export type JudgingInput = Omit<PlanInput, 'scenarios'> & HasProcessCode;

export interface JudgingOptions {
  readonly options: ResolvedRunOptions;
  /** Absent: all. */
  readonly subjects?: readonly TrivialSubject[];
}

/** One scenario of the run that the audit makes. */
interface Tried {
  readonly of: Scenario;
  /** Null: its gold answers. */
  readonly says: TrivialSubject | null;
  readonly scenario: Scenario;
}

/** Runs every scenario but recorded ones with each trivial subject, and with its gold answers: in one run. */
export async function judgeScenarios(
  input: JudgingInput,
  scenarios: readonly Scenario[],
  { options, subjects = TRIVIAL_SUBJECTS }: JudgingOptions,
): Promise<ReadonlyMap<Scenario, readonly FoundTask[]>> {
  const all = scenarios.filter(({ subject }) => !factsOf(subject).isRecorded);
  const { run } = options.permissions;
  const whyNot = (scenario: Scenario): string | null =>
    whyNotTrivial(scenario, run !== false && (run === true || run.length > 0));
  const tried = all.flatMap((of): readonly Tried[] => {
    if (whyNot(of) !== null) return [];
    const trivial = subjects.map((says) => ({ of, says, scenario: trivialScenario(of, says) }));
    const gold = goldScenario(of);
    return gold === null ? trivial : [{ of, says: null, scenario: gold }, ...trivial];
  });
  const passing = await passingOf(tried, input, options);
  return new Map(
    all.map((scenario) => {
      const own = tried.filter(({ of }) => of === scenario);
      const ownGold = own.find(({ says }) => says === null);
      const task: AuditedTask = {
        name: scenario.name,
        file: scenario.file,
        kind: kindOfTask(scenario),
        notJudged: whyNot(scenario),
        passedBy: own.flatMap((one) => (one.says !== null && passing.has(one) ? [one.says] : [])),
        gold: ownGold === undefined ? 'unknown' : passing.has(ownGold) ? 'passed' : 'failed',
        orderOnly: { passed: 0, failed: 0 },
      };
      return [scenario, [{ task, content: contentOf(scenario) }]];
    }),
  );
}

async function passingOf(
  tried: readonly Tried[],
  input: JudgingInput,
  options: ResolvedRunOptions,
): Promise<ReadonlySet<Tried>> {
  const plan = planRun({ ...input, scenarios: tried.map(({ scenario }) => scenario) }, options);
  const runner = createRunner(options);
  try {
    const { scenarios } = await runner.run(plan, { ...options, processCode: input.processCode });
    return new Set(
      tried.filter((_, at) => {
        const [planned, counts] = [plan.scenarios[at], scenarios[at]];
        if (planned === undefined || counts === undefined) return false;
        const { passed, executed } = counts.tally;
        // Which rules of a contract count, its verdict says: a task is passed by obeying them all.
        if (planned.scenario.part !== undefined) return executed > 0 && passed === executed;
        const { seed } = options;
        return (
          foldScenario({ plan: planned, ...counts, failures: [], requested: planned.trials, seed }).verdict === 'passed'
        );
      }),
    );
  } finally {
    await runner.close();
  }
}

/** The same for two scenarios that differ in nothing but how they are called and found, and who is tried on them. */
export function contentOf({
  name: _,
  file: __,
  description: ___,
  tags: ____,
  part,
  namesInFile: _____,
  generated: ______,
  case: _______,
  ...content
}: Scenario): string {
  const { subject } = content;
  const task = factsOf(subject).triedWith(subject);
  return digestOf(writeJson({ ...content, subject: task, part: part?.kind ?? null } as unknown as Json));
}
