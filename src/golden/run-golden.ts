import { firstNames } from '../text/first-names.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runOfBaseline } from '../baseline/read-baseline.ts';
import { PasskError } from '../errors.ts';
import { placeReport } from '../report/place-report.ts';
import type { GoldenLimits, GoldenReport } from '../types/golden/golden-report.ts';
import { GOLDEN_RUN_SCHEMA } from '../types/golden/golden-report.ts';
import { isSampled } from '../types/reports/scenario-report.ts';
import { SMALLEST_ALPHA } from '../suite/recordings/comparison-protocol.schema.ts';
import { VERSION } from '../version.ts';
import { candidateFile, readGolden, requireUnchanged, sha256, writeGolden } from './golden-file.ts';
import { issuesOf, regressionsOf } from './golden-issues.ts';
import { GOLDEN_LIMITS, type RunGoldenOptions } from './golden-options.ts';
import { openGoldenSink } from './golden-sink.ts';
import { goldenLevels } from './golden-levels.ts';
import { goldenJudge, goldenPreference } from './golden-preference.ts';
import { judgeGolden } from './judge-golden.ts';
import { tasksOf } from './pin-golden.ts';
import { sampleRuns, withinBudget } from './sample-run.ts';

/**
 * Tries a candidate on a golden set, with the draws of the baseline, and compares them; null: it was stopped, and nothing was
 * written. Its runs are kept beside the set, and its issues are filed, before the verdict is told. Rejects with `INPUT` for a
 * set that is not what was pinned, and with `OUTPUT` where issues cannot be filed.
 */
export async function runGolden({
  set: name,
  paths = [],
  runs = 1,
  limits: asked = {},
  issueSink,
  judge: judgeName,
  onReport,
  ...options
}: RunGoldenOptions): Promise<GoldenReport | null> {
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const file = path.resolve(cwd, name);
  const golden = await readGolden(file, name);
  const { set, pin, folder } = golden;
  const { seal: _, ...unsealed } = set;
  await requireUnchanged(golden, name);
  const limits = { ...GOLDEN_LIMITS, ...asked };
  requireLimits(limits);
  const judge = goldenJudge(judgeName, options);
  const sink = issueSink === undefined ? null : await openGoldenSink(issueSink, { file, options });
  const agents = options.agents === undefined ? null : path.resolve(cwd, options.agents);
  const { seed, trials } = set;
  const tried = paths.length > 0 ? { paths } : tasksOf(set.files, folder);
  const sampled = await sampleRuns({ ...options, ...tried, cwd, seed, ...(trials !== null && { trials }) }, runs);
  const [candidate] = sampled ?? [];
  if (sampled === null || candidate === undefined) return null;
  const [first] = set.runs;
  if (first === undefined) throw new TypeError('a golden set has a run');
  requireTasks(first.tasks, candidate.run.tasks, name);
  // Few runs compare anything.
  const { compareRuns } = await import('../baseline/compare-runs.ts');
  const drift = compareRuns(runOfBaseline(first.baseline, name), candidate.compared, {
    alpha: goldenLevels(limits.alpha).tasks,
  });
  const sides = { runs: set.runs, candidate: candidate.run };
  const preference =
    judge === null ? undefined : await goldenPreference(judge, sides, withinBudget({ ...options, cwd }, sampled));
  const { regressed, ...judged } = judgeGolden({
    ...sides,
    drift,
    limits,
    seed,
    ...(preference !== undefined && { preference }),
  });
  const { report } = candidate.finished;
  const reports = placeReport(report).scenarios;
  const regressions = regressionsOf(regressed, candidate, { drift, reports });
  const issues = issuesOf(regressions, judged, set.hash);
  await writeGolden(
    candidateFile(file),
    {
      ...unsealed,
      passk: VERSION,
      agents: agents === null ? null : { file: options.agents ?? '', sha256: sha256(await readFile(agents)) },
      runs: sampled.map(({ run }) => run),
      judged: {
        verdict: judged.verdict,
        regressions: regressions.map(({ task }) => task),
        pin,
        ...(options.replay !== undefined && { isReplayed: true }),
      },
      accepted: null,
    },
    candidateFile(name),
  );
  const filed = sink === null ? null : await sink.file(issues);
  const compared: GoldenReport = {
    schema: GOLDEN_RUN_SCHEMA,
    passk: VERSION,
    ...judged,
    set: { file: name, hash: set.hash, tasks: first.tasks.length },
    seed,
    agents: options.agents ?? null,
    paths: paths.length > 0 ? paths : null,
    limits,
    replayMisses: report.scenarios.filter(isSampled).reduce((sum, one) => sum + (one.replayMisses?.count ?? 0), 0),
    regressions,
    issues,
    sink: filed === null || issueSink === undefined ? null : { name: issueSink, filed },
  };
  const { verdict, reasons } = compared;
  // What decides is the comparison: of bars of the tasks the baseline may miss some, too.
  onReport?.({ ...report, gate: { ...report.gate, verdict, reasons, violations: [] }, golden: compared });
  return compared;
}

/** A candidate that leaves tasks out is compared with less than what was pinned. */
function requireTasks(
  pinned: readonly { readonly name: string }[],
  tried: readonly { readonly name: string }[],
  name: string,
): void {
  const found = new Set(tried.map((task) => task.name));
  const missing = pinned.filter((task) => !found.has(task.name)).map((task) => task.name);
  if (missing.length === 0) return;
  throw new PasskError('INPUT', `The candidate lacks tasks of ${name}: ${firstNames(missing, 5)}.`, {
    hint: 'Name files that hold tasks of the same names.',
  });
}

/** A level that is told from a certainty, and shares that a candidate can exceed. */
function requireLimits({ alpha, margin, maxRegressionRate }: GoldenLimits): void {
  if (!(alpha >= SMALLEST_ALPHA && alpha < 0.5)) {
    throw new PasskError('USAGE', `An alpha of ${alpha} is impossible.`, {
      hint: 'Give a number from 0.000001 to below 0.5.',
    });
  }
  for (const [name, share] of Object.entries({ margin, maxRegressionRate })) {
    if (share >= 0 && share < 1) continue;
    throw new PasskError('USAGE', `No candidate exceeds a ${name} of ${share}.`, {
      hint: 'Give a number from 0 to below 1.',
    });
  }
}
