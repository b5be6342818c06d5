import type { ResolvedRunOptions } from '../../settings/options.ts';
import { BLOCK_SIZE, type RecordingPlan } from '../../types/plan.ts';
import type { RecordingSubject } from '../../types/recording.ts';
import type { Scenario } from '../../types/scenario.ts';
import { isJudgedByCode } from '../../types/scenarios/judging-code.ts';
import { checksSchemas, type PlanContext, planDraws } from '../plan/plan-context.ts';

/** A worker says nothing while it reads a run; one of the largest that are read takes some seconds. */
const LONGEST_MS = 60_000;
/** Bytes of one block, about: so much is read again where a worker died. */
const BLOCK_BYTES = 8 * 1024 * 1024;

/** The plan of a scenario that reads recorded trials: as many as there are, or the first of them. */
export function planRecording(
  scenario: Scenario<RecordingSubject>,
  index: number,
  { root, registry }: PlanContext,
  options: ResolvedRunOptions,
): RecordingPlan {
  const { subject, trials } = scenario;
  const { expected } = scenario;
  const userCode = registry.importers.has(subject.format) || isJudgedByCode(expected);
  const bytes = subject.sources.reduce((sum, { files }) => sum + files.reduce((all, file) => all + file.bytes, 0), 0);
  const perBlock = Math.ceil(BLOCK_BYTES / Math.max(1, bytes / Math.max(1, trials)));
  return {
    index,
    scenario,
    ...planDraws(scenario, options),
    sampler: 'seeded',
    trials: Math.min(trials, options.trials ?? trials),
    traits: {
      sync: true,
      repeatable: true,
      place: userCode ? 'worker' : 'here',
      orderGroup: null,
      longestMs: LONGEST_MS,
    },
    userCode,
    schemas: checksSchemas(expected),
    liveModels: [],
    liveNodes: [],
    folder: root,
    blockSize: Math.max(1, Math.min(BLOCK_SIZE, perBlock)),
  };
}
