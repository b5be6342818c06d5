import type { LoadedRows, TriedScenario, TryOut } from '../../types/generated/try-out.ts';
import { type ResolvedLoadOptions, resolveRunOptions } from '../../settings/options.ts';
import type { TrivialSubject } from '../../types/audit/set-audit.ts';
import type { Scenario } from '../../types/scenario.ts';
import { factsOf, isAttacked } from '../../types/subjects.ts';
import { judgeScenarios, type JudgingInput } from '../audit-set/judge-scenarios.ts';

/** Those by whom generated scenarios are thrown out. */
const SUBJECTS: readonly TrivialSubject[] = ['null', 'echo'];

/**
 * Tries generated scenarios out as an audit does: with who can do nothing, and with their gold answers, one trial each and
 * the same in every run.
 */
export function tryOutWith(
  input: Omit<JudgingInput, 'definitions'>,
  { cwd, permissions, givenPlugins }: ResolvedLoadOptions,
): TryOut {
  return async (documents) => {
    const hasCode = permissions.run !== false || givenPlugins.length > 0;
    const options = resolveRunOptions({
      cwd,
      permissions,
      plugins: [...givenPlugins],
      trials: 1,
      // A thread would take longer to start than the trials to run.
      ...(!hasCode && { workers: 0 }),
    });
    const tasks = documents.map(tasksOf);
    const definitions = documents.flatMap((one) => one.definitions);
    const judged = await judgeScenarios({ ...input, definitions }, tasks.flat(), { options, subjects: SUBJECTS });
    return tasks.map((own) =>
      own.flatMap((scenario): readonly TriedScenario[] =>
        (judged.get(scenario) ?? []).map(({ task: { passedBy, gold }, content }) => ({
          scenario,
          passedBy,
          gold,
          content,
        })),
      ),
    );
  };
}

/** Attacks and mutations change no task, and who is tried on it does not matter. */
function tasksOf({ rows }: LoadedRows): readonly Scenario[] {
  const seen = new Set<string>();
  return rows.flatMap(({ scenario }): readonly Scenario[] => {
    const { subject, mutation } = scenario;
    if (mutation !== undefined || isAttacked(scenario)) return [];
    const task = factsOf(subject).task?.(subject);
    if (task === undefined) return [withoutFails(scenario)];
    const key = JSON.stringify(task);
    if (seen.has(key)) return [];
    seen.add(key);
    return [withoutFails(scenario)];
  });
}

/** What a control fails, its task does not. */
function withoutFails(scenario: Scenario): Scenario {
  const { fails: _, ...expected } = scenario.expected;
  return { ...scenario, expected };
}
