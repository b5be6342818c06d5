import type { RecordingReport } from '../types/recording.ts';
import type { TaskRow } from '../types/recordings/task-row.ts';
import { isSampled, type SampledScenario, type ScenarioReport } from '../types/reports/scenario-report.ts';
import type { CrossedReport } from '../types/sessions/attack.ts';

/** A cell of user tasks × attacks, or a task without an attack, with the scenario that its trials are of. */
export interface CrossedScenario {
  readonly scenario: SampledScenario;
  /** The file in which its attacks stand. */
  readonly file: string;
  readonly crossed: CrossedReport;
}

interface Recorded {
  readonly scenario: SampledScenario;
  readonly recording: RecordingReport;
  readonly attack: NonNullable<RecordingReport['attack']>;
}

/**
 * What stands in user tasks × attacks: sessions, each with its scenario, and cells of recorded runs, which share theirs. Of
 * recorded runs of which not every task is listed there is nothing. An attack in a constant scenario is one attempt.
 */
export function crossedScenarios(scenarios: readonly ScenarioReport[]): readonly CrossedScenario[] {
  const sampled = scenarios.filter(isSampled);
  const recorded = sampled.flatMap((scenario): readonly Recorded[] => {
    const { recording } = scenario;
    const attack = recording?.attack;
    return recording === undefined || attack === undefined ? [] : [{ scenario, recording, attack }];
  });
  return sampled.flatMap((scenario) => {
    const { file, session, constant } = scenario;
    if (session?.crossed !== undefined) {
      return [{ scenario, file, crossed: constant === true ? onlyTrial(session.crossed) : session.crossed }];
    }
    const set = recorded.find((one) => one.scenario === scenario);
    return set?.attack.tells === 'resisted' ? recordedCells(set, recorded) : [];
  });
}

/** What the trials of a constant scenario come to: they are one trial, and one attempt. */
function onlyTrial({ attack, ...crossed }: CrossedReport): CrossedReport {
  if (attack === undefined) return crossed;
  const { attempts, succeeded, errors, utility } = attack;
  const once = {
    attempts: Math.min(1, attempts),
    succeeded: Math.min(1, succeeded),
    errors: Math.min(1, errors),
    utility: { done: Math.min(1, utility.done), trials: Math.min(1, utility.trials) },
  };
  return { ...crossed, attack: { ...attack, ...once } };
}

/** The cells of a set whose runs pass where they resist, behind the user tasks of the same agent without an attack. */
function recordedCells(
  { scenario, recording, attack }: Recorded,
  all: readonly Recorded[],
): readonly CrossedScenario[] {
  const { agent, channel, owasp, benign } = attack;
  if (channel === undefined || recording.omitted > 0) return [];
  const { file } = scenario;
  const setOf = (tells: typeof attack.tells, of = agent): Recorded | undefined =>
    all.find(
      (one) => one.attack.tells === tells && one.attack.agent === of && one.recording.format === recording.format,
    );
  const without = benign === undefined ? undefined : setOf('benign', benign);
  const working = new Map(setOf('utility')?.recording.perTask.map((row) => [row.task, row]));
  const cells = recording.perTask.flatMap(({ task, crossed, trials, passed, errors }): readonly CrossedScenario[] => {
    if (crossed === undefined) return [];
    const attempts = trials - errors;
    const utility = doneOf(working.get(task));
    const counts = { attempts, succeeded: attempts - passed, errors, utility };
    const cell = { agent, task: crossed.row, attack: { name: crossed.column, channel, owasp, ...counts } };
    return [{ scenario, file, crossed: cell }];
  });
  return without === undefined ? cells : [{ scenario: without.scenario, file, crossed: { agent, task: '' } }, ...cells];
}

function doneOf(row: TaskRow | undefined): { readonly done: number; readonly trials: number } {
  return row === undefined ? { done: 0, trials: 0 } : { done: row.passed, trials: row.trials - row.errors };
}
