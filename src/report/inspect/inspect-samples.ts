import type { JsonObject } from '../../types/json.ts';
import type { FailureReport, SampledScenario } from '../../types/scenario-report.ts';
import { inspectMessages, inspectOutput, inspectUsage } from './inspect-messages.ts';

/** Attempts at one thing: a task of recorded runs, or a scenario. */
interface Attempts {
  readonly id: string;
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  /** Failing trials of it that the report shows. */
  readonly shown: readonly FailureReport[];
}

/** Runs of which nobody knows what they were attempts at: each stands alone. */
const UNREAD = 'a run that could not be read';

/**
 * A sample for each trial: those that the report shows, with what was said, and others that are counted and no more. `alone`:
 * no other scenario is in the log, so that tasks need not say whose they are.
 */
export function inspectSamples(scenario: SampledScenario, alone: boolean): readonly JsonObject[] {
  return attemptsOf(scenario, alone).flatMap(samplesOf);
}

function attemptsOf({ name, trials, recording, failures }: SampledScenario, alone: boolean): readonly Attempts[] {
  const { passed, failed, broken } = trials;
  if (recording === undefined) return [{ id: name, passed, failed, broken, shown: failures }];
  const idOf = (task: string): string => (alone ? task : `${name}: ${task}`);
  const unread = broken - recording.perTask.reduce((sum, { errors }) => sum + errors, 0);
  const tasks = recording.perTask.map((row) => ({
    id: idOf(row.task),
    passed: row.passed,
    failed: row.trials - row.passed - row.errors,
    broken: row.errors,
    shown: failures.filter(({ record }) => record?.recording?.task === row.task),
  }));
  const lost = failures.filter(({ record }) => record?.recording === undefined);
  const alike = Array.from({ length: unread }, (_, at) => ({
    id: idOf(`${UNREAD} (${at + 1})`),
    passed: 0,
    failed: 0,
    broken: 1,
    shown: lost.slice(at, at + 1),
  }));
  return [...tasks, ...alike];
}

/** Trials that are shown have the epochs that they ran in; the others take what is free, in no particular order. */
function samplesOf({ id, passed, failed, broken, shown }: Attempts): readonly JsonObject[] {
  const trials = passed + failed + broken;
  const byEpoch = new Map<number, FailureReport>();
  let left = { failed, broken };
  for (const failure of shown) {
    const { verdict, record, trial } = failure;
    const own = record?.recording === undefined ? trial + 1 : (record.recording.attempt ?? 0);
    if (left[verdict] === 0) continue;
    left = { ...left, [verdict]: left[verdict] - 1 };
    byEpoch.set(own >= 1 && own <= trials && !byEpoch.has(own) ? own : freeEpoch(byEpoch), failure);
  }
  return Array.from({ length: trials }, (_, at): JsonObject => {
    const epoch = at + 1;
    const failure = byEpoch.get(epoch);
    if (failure !== undefined) return shownSample(id, epoch, failure);
    if (left.failed > 0) {
      left = { ...left, failed: left.failed - 1 };
      return { ...bare(id, epoch), scores: { passk: { value: 'I' } } };
    }
    if (left.broken > 0) {
      left = { ...left, broken: left.broken - 1 };
      return { ...bare(id, epoch), error: errorOf('The trial is broken; the report does not show why.') };
    }
    return { ...bare(id, epoch), scores: { passk: { value: 'C' } } };
  });
}

function freeEpoch(taken: ReadonlyMap<number, unknown>): number {
  let epoch = 1;
  while (taken.has(epoch)) epoch++;
  return epoch;
}

/** A trial that is counted: the report says its verdict and nothing else. */
function bare(id: string, epoch: number): JsonObject {
  return { id, epoch, input: '', target: '', messages: [], metadata: { passk: { shown: false } } };
}

function shownSample(id: string, epoch: number, failure: FailureReport): JsonObject {
  const { trial, verdict, record, replay, findings, brokenBy, reason } = failure;
  const turns = record?.turns ?? [];
  const messages = inspectMessages(turns);
  const output = inspectOutput(turns);
  const durationMs = record?.recording?.durationMs ?? null;
  const said = findings.map(({ message }) => message).join('\n');
  const asked = messages.find(({ role }) => role === 'user');
  const text = Array.isArray(asked?.['content'])
    ? asked['content'].map((part) => (part as JsonObject)['text'] ?? '')
    : [];
  return {
    id,
    epoch,
    input: text.join('\n'),
    target: '',
    messages,
    ...(output !== null && { output }),
    ...(verdict === 'failed' && { scores: { passk: { value: 'I', explanation: said } } }),
    ...(verdict === 'broken' && { error: errorOf(brokenBy ?? 'The trial is broken.') }),
    metadata: { passk: { shown: true, trial, reason, replay } },
    ...(record !== undefined && inspectUsage(record.ledger)),
    ...(durationMs !== null && { total_time: durationMs / 1000 }),
  };
}

function errorOf(message: string): JsonObject {
  return { message, traceback: '', traceback_ansi: '' };
}
