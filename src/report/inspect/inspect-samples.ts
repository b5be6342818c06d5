import type { JsonObject } from '../../types/json.ts';
import type { SampledScenario } from '../../types/reports/scenario-report.ts';
import type { FailureReport } from '../../types/scenarios/failure-report.ts';
import { inspectMessages, inspectOutput, inspectUsage } from './inspect-messages.ts';

/** Attempts at a task of recorded runs, or at a scenario. */
interface Attempts {
  readonly id: string;
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  /** Failing trials of it that the report shows. */
  readonly shown: readonly FailureReport[];
}

/** The name of a run whose task is unknown: each such run is a task of its own. */
const UNREAD = 'a run that could not be read';

/**
 * A sample for each trial. Those that the report shows have their messages; the others have a verdict alone. `alone`: no
 * other scenario is in the log, so tasks need not name their scenario.
 */
export function inspectSamples(scenario: SampledScenario, alone: boolean): readonly JsonObject[] {
  return attemptsOf(scenario, alone).flatMap(samplesOf);
}

function attemptsOf({ name, trials, recording, failures }: SampledScenario, alone: boolean): readonly Attempts[] {
  const { passed, failed, broken } = trials;
  if (recording === undefined) return [{ id: name, passed, failed, broken, shown: failures }];
  const idOf = (task: string): string => (alone ? task : `${name}: ${task}`);
  const unreadCount = broken - recording.perTask.reduce((sum, { errors }) => sum + errors, 0);
  const tasks = recording.perTask.map((row) => ({
    id: idOf(row.task),
    passed: row.passed,
    failed: row.trials - row.passed - row.errors,
    broken: row.errors,
    shown: failures.filter(({ record }) => record?.recording?.task === row.task),
  }));
  const unreadFailures = failures.filter(({ record }) => record?.recording === undefined);
  const unreadRuns = Array.from({ length: unreadCount }, (_, at) => ({
    id: idOf(`${UNREAD} (${at + 1})`),
    passed: 0,
    failed: 0,
    broken: 1,
    shown: unreadFailures.slice(at, at + 1),
  }));
  return [...tasks, ...unreadRuns];
}

/** Trials that the report shows keep their epochs. The others take the free ones, in no particular order. */
function samplesOf({ id, passed, failed, broken, shown }: Attempts): readonly JsonObject[] {
  const trials = passed + failed + broken;
  const byEpoch = new Map<number, FailureReport>();
  let left = { failed, broken };
  for (const failure of shown) {
    const { verdict, record, trial } = failure;
    const epoch = record?.recording === undefined ? trial + 1 : (record.recording.attempt ?? 0);
    if (left[verdict] === 0) continue;
    left = { ...left, [verdict]: left[verdict] - 1 };
    byEpoch.set(epoch >= 1 && epoch <= trials && !byEpoch.has(epoch) ? epoch : freeEpoch(byEpoch), failure);
  }
  return Array.from({ length: trials }, (_, at): JsonObject => {
    const epoch = at + 1;
    const failure = byEpoch.get(epoch);
    if (failure !== undefined) return shownSample(id, epoch, failure);
    if (left.failed > 0) {
      left = { ...left, failed: left.failed - 1 };
      return { ...countedSample(id, epoch), scores: { passk: { value: 'I' } } };
    }
    if (left.broken > 0) {
      left = { ...left, broken: left.broken - 1 };
      return { ...countedSample(id, epoch), error: errorOf('The trial is broken; the report does not show why.') };
    }
    return { ...countedSample(id, epoch), scores: { passk: { value: 'C' } } };
  });
}

function freeEpoch(byEpoch: ReadonlyMap<number, unknown>): number {
  let epoch = 1;
  while (byEpoch.has(epoch)) epoch++;
  return epoch;
}

/** A trial of which the report holds the verdict alone. */
function countedSample(id: string, epoch: number): JsonObject {
  return { id, epoch, input: '', target: '', messages: [], metadata: { passk: { shown: false } } };
}

function shownSample(id: string, epoch: number, failure: FailureReport): JsonObject {
  const { trial, verdict, record, replay, findings, brokenBy, reason } = failure;
  const turns = record?.turns ?? [];
  const messages = inspectMessages(turns);
  const output = inspectOutput(turns);
  const durationMs = record?.recording?.durationMs ?? null;
  const explanation = findings.map(({ message }) => message).join('\n');
  const prompt = messages.find(({ role }) => role === 'user');
  const text = Array.isArray(prompt?.['content'])
    ? prompt['content'].map((part) => (part as JsonObject)['text'] ?? '')
    : [];
  return {
    id,
    epoch,
    input: text.join('\n'),
    target: '',
    messages,
    ...(output !== null && { output }),
    ...(verdict === 'failed' && { scores: { passk: { value: 'I', explanation } } }),
    ...(verdict === 'broken' && { error: errorOf(brokenBy ?? 'The trial is broken.') }),
    metadata: { passk: { shown: true, trial, reason, replay } },
    ...(record !== undefined && inspectUsage(record.ledger)),
    ...(durationMs !== null && { total_time: durationMs / 1000 }),
  };
}

function errorOf(message: string): JsonObject {
  return { message, traceback: '', traceback_ansi: '' };
}
