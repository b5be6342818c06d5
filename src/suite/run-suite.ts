import type { SuiteReport } from '../types/reports/report.ts';
import { askedOutside } from './asked-outside.ts';
import { withCassette } from '../host/with-cassette.ts';
import { type FoldedRun, foldResults } from './fold/fold-results.ts';
import { foldScenarios, type FoldRunInput } from './fold/fold-scenarios.ts';
import { gateRun } from './gate-run.ts';
import { judgeStandings } from './judges/judge-standings.ts';
import type { OtherRuns } from './history/other-runs.ts';
import { type ResolvedRunOptions, type RunSuiteOptions, resolveRunOptions } from '../settings/options.ts';
import { idleModels, warningsAhead } from './plan/plan-warnings.ts';
import { loadFor, type SuiteInput } from './load-suite.ts';
import { planRun, totalTrials } from './plan/plan.ts';
import { progressRows, type RowsOf } from './counts/progress-rows.ts';
import { requireLoaded } from './require-loaded.ts';
import { requireGates } from '../settings/resolve-gates.ts';
import { withBaselines } from './contract-baselines.ts';
import { gateTargets } from './gate-targets.ts';
import type { Scenario } from '../types/scenario.ts';
import type { RunPlan } from '../types/plan.ts';
import { factsOf } from '../types/subjects.ts';
import type { ScenarioCounts } from './counts/count-checks.ts';
import { withTallyRows } from './rows/with-tally-rows.ts';
import { runJournaled } from './run-journaled.ts';
import { begunBy } from './begun-by.ts';
import { createRunner, type Runner } from './runner.ts';
import { seeTrials } from './see-trials.ts';

/**
 * Loads scenarios, runs their trials and resolves to the report. Prints nothing, exits nothing, leaves no handle open,
 * and may run several times at once. Rejects with a `PasskError` when it cannot run at all; what subjects do wrong,
 * and the gate's verdict, are in the report.
 */
export function runSuite(runOptions: RunSuiteOptions = {}): Promise<SuiteReport> {
  return runBegun(runOptions, {});
}

/** The same for whoever must know when trials begin. */
export async function runBegun(runOptions: RunSuiteOptions, begun: Beginning): Promise<SuiteReport> {
  const options = resolveRunOptions(await withCassette(runOptions));
  const runner = createRunner(options);
  try {
    return await runOn(runner, options, begun);
  } finally {
    await runner.close();
  }
}

/** The report of a run, and what it was made of. */
export interface FinishedRun {
  readonly report: SuiteReport;
  readonly plan: RunPlan;
  /** One for each planned scenario, in plan order. */
  readonly scenarios: readonly ScenarioCounts[];
}

/** What a run is made of, before anything is run. */
export interface LoadedRun {
  readonly options: ResolvedRunOptions;
  readonly input: SuiteInput;
}

/** Loads what is to be run, for whoever looks at it before. Problems of files are data. */
export async function loadRun(runOptions: RunSuiteOptions): Promise<LoadedRun> {
  const options = resolveRunOptions(await withCassette(runOptions));
  return { options, input: await loadFor(options, { isOwn: true }) };
}

/**
 * A run that keeps a row of each trial: `tally.rows` of each scenario. At most `MAX_TALLY_ROWS` trials; no `dedupe`. Where
 * answers are enumerated there are no trials, so no rows.
 */
export async function runWithRows(
  { options, input }: LoadedRun,
  samples: Samples,
  begun: Beginning = {},
): Promise<FinishedRun> {
  const runner = createRunner(options);
  try {
    return await finishRun(runner, options, { samples, input, ...begun });
  } finally {
    await runner.close();
  }
}

export async function runOn(runner: Runner, options: ResolvedRunOptions, begun: Beginning = {}): Promise<SuiteReport> {
  return (await finishRun(runner, options, begun)).report;
}

/** Loads and plans, runs, folds, and gates; `renderReports` reports what this gives. */
async function finishRun(
  runner: Runner,
  options: ResolvedRunOptions,
  prepare: PrepareOptions & Beginning,
): Promise<FinishedRun> {
  const { input, plan: planned, rowsOf } = await prepareRun(options, prepare);
  const plan =
    prepare.samples === undefined && !options.ledger ? planned : withTallyRows(planned, options, prepare.samples);
  options.onProgress({
    kind: 'planned',
    scenarios: plan.scenarios.filter(({ scenario }) => scenario.part === undefined).length,
    trials: totalTrials(plan),
    ...askedOutside(plan),
    workers: options.workers,
    issues: warningsAhead(plan, options),
  });
  const others = await openOthers(options);
  const standings = await judgeStandings(plan, options);
  const { processCode, filePlaces } = input;
  const { onBegin } = prepare;
  const run = await runJournaled(
    runner,
    plan,
    { ...options, rowsOf, processCode, filePlaces },
    onBegin === undefined ? {} : { through: (executor) => begunBy(() => onBegin(plan), executor) },
  );
  const folded = await foldRun({ input, plan, run, options, standings });
  const tallies = run.scenarios.map(({ tally }) => tally);
  const after = others === null ? null : await others.baselineOf(plan, run);
  const report = await gateRun(folded, { before: others?.before ?? null, after, ran: { plan, tallies }, options });
  options.onProgress({ kind: 'end', report });
  const unkept = after === null ? null : await others?.keep({ report, cells: folded.cells, baseline: after });
  if (unkept != null) options.onProgress({ kind: 'unkept', message: unkept });
  return { report, plan, scenarios: run.scenarios };
}

/** What a run comes to: its scenarios, and what is made of them with trials that are seen once more. */
export async function foldRun(outcome: FoldRunInput): Promise<FoldedRun> {
  const scenarios = await foldScenarios(outcome);
  const { kinds, suite } = outcome.input;
  const seen = await seeTrials({ kinds, definitions: suite.definitions, parts: scenarios.parts }, outcome.options);
  return foldResults(outcome, scenarios, seen);
}

/** The runs that this one is compared with and kept among; null: it stands alone. Called before anything runs. */
async function openOthers(options: ResolvedRunOptions): Promise<OtherRuns | null> {
  const { baseline, saveBaseline, history } = options;
  if (baseline === null && saveBaseline === null && history === null) return null;
  const { openOtherRuns } = await import('./history/other-runs.ts');
  return openOtherRuns(options);
}

/** Who hears of trials before the first of them is run. */
export interface Beginning {
  /** Called once; where it rejects, nothing is run. Absent: nobody does. */
  readonly onBegin?: (plan: RunPlan) => Promise<void>;
}

/** What will be run, and what has a line of its own in its progress. */
export interface PreparedRun {
  readonly input: SuiteInput;
  readonly plan: RunPlan;
  readonly rowsOf: RowsOf | null;
}

/** How much is sampled of each scenario. */
export interface Samples {
  /** Trials that each has at least; its file may ask for more. Recorded runs are as many as there are. */
  readonly atLeast: number;
  /** True: the records of the lowest trial that passed and the lowest that failed are kept of each; absent: they are not. */
  readonly firstRecords?: true;
}

export interface PrepareOptions {
  /** Absent: each scenario has as many trials as options or its file say. */
  readonly samples?: Samples;
  /** What loading these very options gave; absent: they are loaded. */
  readonly input?: SuiteInput;
}

/** The first two verbs: what will be run. Throws when nothing can be. */
export async function prepareRun(
  options: ResolvedRunOptions,
  { samples, input: loaded }: PrepareOptions = {},
): Promise<PreparedRun> {
  const input = loaded ?? (await loadFor(options, { isOwn: true }));
  requireLoaded(input, options);
  const { issues, definitions } = input.suite;
  const scenarios =
    samples === undefined ? input.suite.scenarios : input.suite.scenarios.map((scenario) => sampled(scenario, samples));
  const standalone = scenarios.filter(({ part }) => part === undefined);
  requireGates(options.gates, gateTargets(scenarios, definitions));
  options.onProgress({ kind: 'loaded', scenarios: standalone.length, issues });
  const planned = planRun({ ...input, scenarios, definitions }, options);
  const plan = await withBaselines(planned, options);
  const idle = idleModels(plan, options);
  return {
    input: idle.length === 0 ? input : { ...input, suite: { ...input.suite, issues: [...issues, ...idle] } },
    plan,
    rowsOf: await progressRows(plan, { kinds: input.kinds, definitions }),
  };
}

function sampled(scenario: Scenario, { atLeast }: Samples): Scenario {
  if (factsOf(scenario.subject).isRecorded || scenario.trials >= atLeast) return scenario;
  return { ...scenario, trials: atLeast };
}
