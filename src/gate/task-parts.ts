import type { Gate } from '../types/reports/gate.ts';
import type { RecordingReport } from '../types/recording.ts';
import { isSampled, type ScenarioReport } from '../types/reports/scenario-report.ts';
import { quotientValue } from './gate-value.ts';
import type { MeanPart } from './mean-of-parts.ts';
import { horizonOf } from './pass-metric.ts';
import { type TrialTotals, type NoReading, readPasses } from './reading.ts';

/** What only recorded trials have; undefined: passk ran them, or nothing did. */
export function recordingOf(scenario: ScenarioReport): RecordingReport | undefined {
  return isSampled(scenario) ? scenario.recording : undefined;
}

/** Which results tasks had, and what attempts with an error count as. */
interface TaskResults extends Pick<RecordingReport, 'histogram'> {
  readonly errors: Pick<RecordingReport['errors'], 'policy'> & Partial<Pick<RecordingReport['errors'], 'count'>>;
}

/**
 * What each task adds to a mean over tasks. An attempt that cannot be read, whose task nobody knows, is a task of its own: gates
 * that passed it over would pass a file of which the failures were damaged.
 */
export function taskParts(gate: Gate, { histogram, errors }: TaskResults): readonly MeanPart[] | NoReading {
  const parts: MeanPart[] = [];
  for (const alike of histogram) {
    const totals = taskTotals(alike, errors.policy);
    if (totals.all === 0) continue;
    const reading = readPasses({ ...gate, side: { kind: 'point' } }, totals, false);
    if ('why' in reading) return { ...reading, why: `has a task that ${reading.why}` };
    const part: MeanPart = {
      low: reading.low.named,
      high: reading.high.named,
      value: reading.value ?? reading.low.named.number,
      groups: Math.floor(totals.all / horizonOf(gate.metric, gate.k, totals.all)),
    };
    for (let task = 0; task < alike.tasks; task++) parts.push(part);
  }
  if (errors.policy !== 'exclude') {
    const inTasks = histogram.reduce((sum, alike) => sum + alike.errors * alike.tasks, 0);
    const none = quotientValue(0, 1);
    const high = errors.policy === 'fail' ? none : quotientValue(1, 1);
    const part: MeanPart = { low: none, high, value: 0, groups: 1 };
    for (let attempt = inTasks; attempt < (errors.count ?? 0); attempt++) parts.push(part);
  }
  return parts.length === 0 ? { verdict: 'insufficient', why: 'has no task of which a trial counts' } : parts;
}

/** Errors count as failures, or not at all, or could be anything. */
function taskTotals(
  { trials, passed, errors }: RecordingReport['histogram'][number],
  policy: RecordingReport['errors']['policy'],
): TrialTotals {
  const failed = trials - passed - errors + (policy === 'fail' ? errors : 0);
  const broken = policy === 'block' ? errors : 0;
  const all = passed + failed + broken;
  return { passed, failed, broken, missing: 0, ran: all, all, unknown: broken };
}
