import type { ComparedRun } from '../baseline/compared-run.ts';
import { PasskError } from '../errors.ts';
import { sumLive } from '../intelligence/live/live-counts.ts';
import { blocksOfShard } from '../pool/blocks/shard-blocks.ts';
import { mergeRecords } from '../pool/results/merge-records.ts';
import { planDifferences } from '../records/compare-plans.ts';
import { identifyPlan } from '../records/plan-digest.ts';
import { type NamedShard, readShard, type ShardSource } from '../records/read-shard.ts';
import { orPartial, type PartialShards, selectShards } from '../pool/results/select-shards.ts';
import { kindsWith, SUITE_KINDS } from '../suites/kinds.ts';
import type { SuiteKind } from '../suites/suite-kind.ts';
import { loadPlugins } from '../plugin/load-plugins.ts';
import { extendRegistry } from '../trial/registry.ts';
import type { SuiteOutline } from '../types/shard.ts';
import type { Baseline } from '../types/baseline.ts';
import type { AgentFacts } from '../types/contract.ts';
import type { RunPlan } from '../types/plan.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import type { FoldedRun } from './fold/fold-results.ts';
import { gateTargets } from './gate-targets.ts';
import { gateRun } from './gate-run.ts';
import { keepRun } from './history/keep-run.ts';
import { judgeStandings } from './judges/judge-standings.ts';
import { makeBaseline } from './history/make-baseline.ts';
import { unknownCalls } from './live-notices.ts';
import { openHistory } from './history/open-history.ts';
import {
  type BaselineOptions,
  type ResolvedRunOptions,
  resolveRunOptions,
  type RunSuiteOptions,
} from '../settings/options.ts';
import { requireGates } from '../settings/resolve-gates.ts';
import { suiteFrom } from './outline.ts';
import { foldRun, prepareRun, type Samples } from './run-suite.ts';
import { withTallyRows } from './rows/with-tally-rows.ts';
import type { FinishedRun, LoadedRun } from './run-suite.ts';
import type { RunResult } from './runner.ts';
import { readBaselineFile } from './history/read-baseline-file.ts';
import { isSettledBy, settlersOf } from './stop-early.ts';

/** The report options of a run. */
export interface MergeShardsOptions
  extends BaselineOptions,
    Pick<RunSuiteOptions, 'cwd' | 'judges' | 'minPassRate' | 'minScore' | 'gates' | 'onProgress' | 'plugins'> {
  /** Report what is there when shards are missing or stopped early; the report then says that it is partial. */
  readonly partial?: boolean;
}

/** What `mergeShards()` made of the parts of a run. */
export interface MergedShards {
  /** The report of the whole run. */
  readonly report: SuiteReport;
  /** What there is to say about the files, in sentences: not part of the report, whose bytes are those of one run. */
  readonly notices: readonly string[];
}

/**
 * The report of one run, from its shards in any order: paths, or bytes with a name for messages. Scenario files are not
 * needed. Rejects with `INPUT` for missing, foreign and damaged shards, with `INTEGRITY` for contradictions.
 */
export async function mergeShards(
  sources: readonly ShardSource[],
  mergeOptions: MergeShardsOptions = {},
): Promise<MergedShards> {
  const { partial: allowPartial = false, ...reportOptions } = mergeOptions;
  // A bar that cannot be used is found before files are read.
  const { baseline, saveBaseline, history: folder, cwd } = resolveRunOptions(reportOptions);
  const before = baseline === null ? null : await readBaselineFile(baseline, cwd);
  const selected = selectShards(await readAll(sources), { partial: allowPartial });
  const { after, cells, notices, report } = await mergedOrDamaged(selected, {
    allowPartial,
    before,
    optionsFor: ({ seed, sampler, timeoutMs, plugins }) =>
      resolveRunOptions({ ...reportOptions, seed, sampler, plugins, ...(timeoutMs !== null && { timeoutMs }) }),
    kindsFor: (outline) => kindsFor(outline, reportOptions),
  });
  const history = folder === null ? null : openHistory(folder, { cwd });
  const unkept = await keepRun({ report, cells, baseline: after }, { saveBaseline, history, cwd });
  return { report, notices: unkept === null ? notices : [...notices, unkept] };
}

/**
 * What `runWithRows` would give, from all shards that `runShardWithRows` wrote of it. Rejects with `INPUT` for shards of
 * anything else, and as `mergeShards` does.
 */
export async function mergeWithRows(
  { options, input }: LoadedRun,
  { shards: sources, samples }: { readonly shards: readonly ShardSource[]; readonly samples: Samples },
): Promise<FinishedRun> {
  const { plan: planned } = await prepareRun(options, { input, samples });
  const plan = withTallyRows(planned, options);
  const ours = await identifyPlan(plan, options);
  const selected = selectShards(await readAll(sources), { partial: null });
  // Those that were selected are of one plan.
  const theirs = selected.shards[0];
  const differences = theirs === undefined ? [] : planDifferences(ours, theirs.identity);
  if (differences.length > 0) {
    throw new PasskError('INPUT', `${theirs?.name} is no part of this run: ${differences.join('; ')}.`, {
      hint: 'Run all parts, and merge them, with the same files, options and version of passk.',
    });
  }
  const { report, scenarios } = await mergedOrDamaged(selected, {
    allowPartial: null,
    before: null,
    optionsFor: () => options,
    kindsFor: async () => input.kinds,
  });
  return { report, plan, scenarios };
}

async function readAll(sources: readonly ShardSource[]): Promise<readonly NamedShard[]> {
  const shards: NamedShard[] = [];
  for (const source of sources) shards.push(await readShard(source));
  return shards;
}

interface MergeInput {
  readonly allowPartial: PartialShards;
  readonly before: ComparedRun | null;
  readonly optionsFor: (outline: SuiteOutline) => ResolvedRunOptions;
  readonly kindsFor: (outline: SuiteOutline) => Promise<readonly SuiteKind[]>;
}

type Selected = ReturnType<typeof selectShards>;

interface Merged extends MergedShards {
  readonly scenarios: FinishedRun['scenarios'];
  readonly after: Baseline;
  readonly cells: FoldedRun['cells'];
}

async function mergedOrDamaged(selected: Selected, input: MergeInput): Promise<Merged> {
  try {
    return await merged(selected, input);
  } catch (error) {
    if (error instanceof PasskError) throw error;
    // Files are what others say they are: what slips through the checks of shape must not look like a fault of passk.
    throw new PasskError('INTEGRITY', 'The shards hold what no run of passk writes.', {
      hint: 'Run them again.',
      cause: error,
    });
  }
}

async function merged(
  { shards, missing, notices }: Selected,
  { allowPartial, before, optionsFor, kindsFor: loadKinds }: MergeInput,
): Promise<Merged> {
  const [first] = shards;
  if (first === undefined) throw new PasskError('INTERNAL', 'No shard was selected.');
  const plan: RunPlan = { scenarios: first.scenarios, plugins: [], hostFunctions: [] };
  const timings = shards.map(({ timing }) => timing);
  // Parts of one run were loaded alike; where they were run is theirs.
  const seenRoot = first.timing.root;
  const workers = timings.reduce((sum, timing) => sum + timing.workers, 0);
  const { seed } = first.outline;
  const options = {
    ...optionsFor(first.outline),
    workers,
    grantFlags: first.identity.grants ?? [],
    stopEarly: first.identity.stopEarly ?? null,
  };
  const planned = first.scenarios.map(({ scenario }) => scenario);
  requireGates(options.gates, gateTargets(planned, first.outline.definitions ?? []));
  const { bail } = first.identity;
  const isSettled = options.stopEarly === null ? null : isSettledBy(settlersOf(plan, options));
  const { scenarios, short } = mergeRecords(plan, shards, { bail, isSettled });
  const early = short.map(
    ({ name, shard }) => `Shard ${shard.index} of ${shard.count} (${name}) stopped before all its trials had run.`,
  );
  if (early.length > 0 && allowPartial !== true) {
    throw new PasskError('INPUT', early.join(' '), {
      hint: `Run it again${orPartial(allowPartial)}.`,
    });
  }
  // A run of few trials leaves nothing to some of its shards.
  const { count } = first.shard;
  const isLacking = missing.some((index) => blocksOfShard(plan, { index, count }).length > 0);
  const places = new Map(
    [...shards].reverse().flatMap((shard) => shard.places.map((one) => [one.scenario, one.places] as const)),
  );
  const liveCounts = liveOf(plan, shards);
  const folded = await foldRun({
    input: {
      suite: suiteFrom(first.outline, first.scenarios),
      ...(seenRoot !== undefined && { seenRoot }),
      kinds: await loadKinds(first.outline),
      notRun: first.outline.notRun ?? [],
      placesOf: ({ index }) => places.get(index) ?? null,
    },
    plan,
    run: {
      scenarios,
      partial: isLacking || early.length > 0,
      ...liveCounts,
      agents: agentsIn(shards),
      usedWorkers: workers > 0,
      queue: null,
      startedAt: new Date(Math.min(...timings.map(({ startedAt }) => startedAt))),
      // As if the shards had run side by side.
      durationMs: Math.max(...timings.map(({ durationMs }) => durationMs)),
    },
    options,
    standings: await judgeStandings(plan, options),
  });
  const tallies = scenarios.map(({ tally }) => tally);
  const after = makeBaseline({
    plan,
    tallies,
    seed,
    stopsEarly: options.stopEarly !== null,
    plugins: first.identity.plugins,
  });
  const report = await gateRun(folded, { before, after, ran: { plan, tallies }, options });
  options.onProgress({ kind: 'end', report });
  return { report, notices: [...notices, ...early], after, cells: folded.cells, scenarios };
}

/**
 * Plug-ins are needed only where one of them says what its cases come to. Those that the user named are loaded, never those
 * that a shard names. Throws `INPUT` where one is missing.
 */
async function kindsFor(
  { definitions = [] }: SuiteOutline,
  options: Pick<MergeShardsOptions, 'plugins' | 'cwd'>,
): Promise<readonly SuiteKind[]> {
  const wanted = definitions.flatMap((one) => (one.kind === 'plugin' ? [one.type] : []));
  if (wanted.length === 0) return SUITE_KINDS;
  const { suites } = extendRegistry(await loadPlugins(resolveRunOptions(options).plugins), []);
  const missing = wanted.find((type) => !suites.has(type));
  if (missing === undefined) return kindsWith(suites);
  throw new PasskError('INPUT', `The shards hold cases of the suite "${missing}", which no plug-in brings.`, {
    hint: 'Name its module with --plugin.',
  });
}

/** What any part says of an agent. */
function agentsIn(shards: readonly NamedShard[]): NonNullable<RunResult['agents']> {
  const facts: Record<string, AgentFacts> = {};
  for (const { outline } of shards) {
    for (const [contract, { contaminated }] of Object.entries(outline.agents ?? {})) {
      facts[contract] = { contaminated: [...(facts[contract]?.contaminated ?? []), ...contaminated] };
    }
  }
  return facts;
}

/** What the calls of all parts came to, and whose are not known. */
function liveOf(plan: RunPlan, shards: readonly NamedShard[]): Pick<RunResult, 'live' | 'notices'> {
  if (plan.scenarios.every(({ liveEndpoints }) => liveEndpoints === undefined)) return { live: null, notices: [] };
  const silent = shards.filter(({ live }) => live === undefined);
  const parts = shards.flatMap(({ live }) => live ?? []);
  return {
    live: parts.length === 0 ? null : sumLive(parts),
    notices: silent.map(({ name, shard }) => unknownCalls(`Shard ${shard.index} of ${shard.count} (${name})`)),
  };
}
