import { PasskError } from '../errors.ts';
import { identifyPlan } from '../records/plan-digest.ts';
import { blocksOfShard } from '../pool/blocks/shard-blocks.ts';
import { encodeShard } from '../records/shard-file.ts';
import { ShardRecorder } from '../pool/results/shard-recorder.ts';
import { trialsIn } from '../pool/blocks/trials-in.ts';
import type { Tally } from '../trial/tally/tally.ts';
import type { RunPlan } from '../types/plan.ts';
import { MAX_SHARDS, type ScenarioPlaces, type ShardId, type ShardSummary } from '../types/shard.ts';
import { VERSION } from '../version.ts';
import { withCassette } from '../host/with-cassette.ts';
import { type RunSuiteOptions, resolveRunOptions } from '../settings/options.ts';
import type { SuiteInput } from './load-suite.ts';
import { outlineOf } from './outline.ts';
import { askedOutside } from './asked-outside.ts';
import { warningsAhead } from './plan/plan-warnings.ts';
import { totalTrials } from './plan/plan.ts';
import { type PrepareOptions, prepareRun, type Samples } from './run-suite.ts';
import { withTallyRows } from './rows/with-tally-rows.ts';
import { runJournaled } from './run-journaled.ts';
import { createRunner } from './runner.ts';

/** Options of a whole run, without bars and gates, which belong to the merge. */
export interface RunShardOptions extends Omit<RunSuiteOptions, 'minPassRate' | 'gates'> {
  /** Which part of the run this is. */
  readonly shard: ShardId;
}

/** One part of a run. */
export interface ShardResult {
  /** What `mergeShards` takes; write it with `writeFileWhole`. */
  readonly bytes: Uint8Array;
  /** What the part came to; it has no verdict. */
  readonly summary: ShardSummary;
}

/**
 * Runs one of several parts of a suite. All parts, run anywhere with the same files and options, merge into the report
 * of one run. Rejects as `runSuite` does. A shard has no verdict.
 */
export async function runShard(options: RunShardOptions): Promise<ShardResult> {
  return runPart(options, {});
}

/** One of several parts of what `runWithRows` runs; `mergeWithRows` puts them together. */
export async function runShardWithRows(options: RunShardOptions, samples: Samples): Promise<ShardResult> {
  return runPart(options, { samples });
}

async function runPart({ shard: id, ...runOptions }: RunShardOptions, prepare: PrepareOptions): Promise<ShardResult> {
  const options = resolveRunOptions(await withCassette(runOptions));
  const shard = checkedShard(id);
  const runner = createRunner(options);
  try {
    const { input, plan: planned } = await prepareRun(options, prepare);
    const plan =
      options.ledger || prepare.samples !== undefined ? withTallyRows(planned, options, prepare.samples) : planned;
    const identity = await identifyPlan(plan, options);
    const blocks = blocksOfShard(plan, shard);
    const share = trialsIn(plan, blocks);
    options.onProgress({
      kind: 'planned',
      scenarios: new Set(blocks.map(({ scenario }) => scenario)).size,
      trials: share,
      ...askedOutside(plan),
      workers: options.workers,
      issues: warningsAhead(plan, options),
    });
    const recorder = new ShardRecorder(plan, blocks, { bail: options.bail, separate: options.stopEarly !== null });
    const run = await runJournaled(
      runner,
      plan,
      { ...options, processCode: input.processCode, filePlaces: input.filePlaces },
      {
        shard,
        through: (executor) => recorder.through(executor),
      },
    );
    const { partial } = recorder;
    const tallies = run.scenarios.map(({ tally }) => tally);
    const bytes = encodeShard({
      shard,
      identity,
      outline: outlineOf(input, options, run),
      plan,
      records: recorder.records(tallies),
      places: placesOf(plan, tallies, input.placesOf),
      partial,
      timing: {
        startedAt: run.startedAt.getTime(),
        durationMs: run.durationMs,
        workers: run.usedWorkers ? Math.max(1, options.workers) : 0,
        ...(input.seenRoot !== undefined && { root: input.seenRoot }),
      },
      live: run.live,
    });
    const mine = new Set(blocks.map(({ scenario }) => scenario));
    const scenarios = plan.scenarios.flatMap(({ index, scenario: { name } }) => {
      const tally = tallies[index];
      if (tally === undefined || !mine.has(index)) return [];
      return [{ name, passed: tally.passed, failed: tally.failed, broken: tally.broken }];
    });
    const { seed } = options;
    const requested = totalTrials(plan);
    const { durationMs } = run;
    return { bytes, summary: { passk: VERSION, seed, shard, partial, requested, share, scenarios, durationMs } };
  } finally {
    await runner.close();
  }
}

/** A report shows places of fewer failing scenarios, but which ones only the whole run knows. */
const MOST_PLACES = 1000;

function placesOf(
  plan: RunPlan,
  tallies: readonly Tally[],
  placesIn: SuiteInput['placesOf'],
): readonly ScenarioPlaces[] {
  const failing = plan.scenarios.filter(({ index }) => (tallies[index]?.passed ?? 0) < (tallies[index]?.executed ?? 0));
  return failing.slice(0, MOST_PLACES).flatMap((one) => {
    const places = placesIn(one);
    return places === null ? [] : [{ scenario: one.index, places }];
  });
}

function checkedShard({ index, count }: ShardId): ShardId {
  const isWhole = Number.isInteger(count) && Number.isInteger(index) && count >= 1 && count <= MAX_SHARDS;
  if (isWhole && index >= 1 && index <= count) return { index, count };
  throw new PasskError('USAGE', `Shard ${String(index)} of ${String(count)} does not exist.`, {
    hint: `Shards count from 1, and there are at most ${MAX_SHARDS}: --shard 1/3, 2/3 and 3/3.`,
  });
}
