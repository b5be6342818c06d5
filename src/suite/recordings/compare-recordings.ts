import { PasskError } from '../../errors.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { TaskCount } from '../../trial/tally/task-counts.ts';
import type { Tally } from '../../trial/tally/tally.ts';
import type { ComparisonReport } from '../../types/reports/comparison.ts';
import type { Scenario } from '../../types/scenario.ts';
import { isRecording } from '../../types/subjects.ts';
import { type ResolvedRunOptions, resolveRunOptions, type RunSuiteOptions } from '../../settings/options.ts';
import type { RECORDINGS } from '../../settings/rows/recordings.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import { prepareRun } from '../run-suite.ts';
import { createRunner, type Runner } from '../runner.ts';
import { type ComparisonSide, compareSets } from './compare-sets.ts';
import { type Protocol, readProtocol } from './read-protocol.ts';
import { SMALLEST_ALPHA } from './comparison-protocol.schema.ts';

/** Options of `compareRecordings()`. */
export interface CompareRecordingsOptions
  extends Pick<
    RunSuiteOptions,
    | Exclude<keyof typeof RECORDINGS, 'recordings'>
    | 'cwd'
    | 'plugins'
    | 'workers'
    | 'seed'
    | 'signal'
    | 'onProgress'
    | 'onOutput'
  > {
  /** Files and folders of the one set and of the other. */
  readonly baseline: readonly string[];
  /** Recorded runs of the candidate: files, folders or globs. */
  readonly candidate: readonly string[];
  /** Which set, where a side has several; absent: each has one. */
  readonly set?: string;
  /** Loss of the mean pass rate that does not matter; absent: none is stated. */
  readonly margin?: number;
  /** Two-sided level of every test; default 0.05. */
  readonly alpha?: number;
  /** A TOML file in which margin, level and readings were stated beforehand. Not with `margin` or `alpha`. */
  readonly protocol?: string;
}

/** Compares two sets of recorded runs, task by task. Rejects with `INPUT` where one cannot be read, and with `USAGE`. */
export async function compareRecordings({
  baseline,
  candidate,
  set,
  margin,
  alpha,
  protocol,
  ...settings
}: CompareRecordingsOptions): Promise<ComparisonReport> {
  if (protocol !== undefined && (margin !== undefined || alpha !== undefined)) {
    throw new PasskError('USAGE', 'A protocol states margin and level, so neither is given beside it.', {
      hint: 'Leave --margin and --alpha away.',
    });
  }
  if (margin !== undefined && !(margin >= 0 && margin < 1))
    throw new PasskError('USAGE', `\`margin\` must be a number from 0 to below 1, got ${margin}.`);
  if (alpha !== undefined && !(alpha >= SMALLEST_ALPHA && alpha < 0.5))
    throw new PasskError('USAGE', `\`alpha\` must be a number from ${SMALLEST_ALPHA} to below 0.5, got ${alpha}.`);
  const settled = protocol === undefined ? null : readProtocol(protocol, resolveRunOptions(settings).cwd);
  const options = { ...settings, ...readings(settled) };
  const first = resolveRunOptions({ ...options, recordings: baseline });
  const runner = createRunner(first);
  try {
    const sides: ComparisonSide[] = [];
    for (const recordings of [baseline, candidate]) {
      sides.push(await sideOf(runner, resolveRunOptions({ ...options, recordings }), set));
    }
    const [before, after] = sides;
    if (before === undefined || after === undefined) throw new PasskError('INTERNAL', 'A side was not run.');
    return compareSets(before, after, {
      errors: first.errors,
      margin: settled?.margin ?? margin ?? null,
      alpha: settled?.alpha ?? alpha ?? 0.05,
      protocol: settled?.stated ?? null,
      seed: first.seed,
    });
  } finally {
    await runner.close();
  }
}

function readings(protocol: Protocol | null): Pick<RunSuiteOptions, 'errors' | 'scorer' | 'passScore'> {
  if (protocol === null) return {};
  const { errors, scorer, passScore } = protocol;
  return {
    ...(errors !== undefined && { errors }),
    ...(scorer !== undefined && { scorer }),
    ...(passScore !== undefined && { passScore }),
  };
}

/** The counts of one set, by task. */
async function sideOf(
  runner: Runner,
  options: ResolvedRunOptions,
  wanted: string | undefined,
): Promise<ComparisonSide> {
  const { input, plan } = await prepareRun(options);
  const chosen = chosenSet(input.suite.scenarios, wanted, options);
  const planned = plan.scenarios.filter(({ scenario }) => scenario.name === chosen.name);
  const run = await runner.run({ ...plan, scenarios: planned.map((one, index) => ({ ...one, index })) }, options);
  if (run.partial) throw new PasskError('INPUT', 'The comparison was stopped before its end.');
  const [scenario] = planned;
  const tally = run.scenarios[0]?.tally;
  if (scenario === undefined || tally === undefined) throw new PasskError('INTERNAL', 'A set was not run.');
  return describeSide(scenario, tally);
}

function describeSide({ scenario }: ScenarioPlan, { tasks, passed, failed, broken }: Tally): ComparisonSide {
  if (!isRecording(scenario) || tasks === null) throw new PasskError('INTERNAL', 'A set is no recording.');
  const { name, subject } = scenario;
  const files = subject.sources.flatMap((source) => source.files);
  return {
    set: {
      name,
      format: subject.format,
      files: files.map(({ name: file, bytes, sha256 }) => ({ name: file, bytes, sha256 })),
    },
    tasks: new Map(tasks.entries()),
    crossings: tasks.crossings,
    unread: passed + failed + broken - [...tasks.entries()].reduce((sum, [, one]) => sum + trialsOf(one), 0),
  };
}

function trialsOf({ passed, failed, broken }: TaskCount): number {
  return passed + failed + broken;
}

function chosenSet(
  sets: readonly Scenario[],
  wanted: string | undefined,
  { recordings }: ResolvedRunOptions,
): Scenario {
  const names = sets.map(({ name }) => name);
  const [only, ...others] = sets;
  if (wanted !== undefined) {
    const found = sets.find(({ name }) => name === wanted);
    if (found !== undefined) return found;
    // Where a side has one set, its name says nothing that the path does not.
    if (only === undefined || others.length > 0) {
      throw new PasskError('USAGE', `There is no set "${wanted}" in ${recordings.join(', ')}.`, {
        hint: hintFor(wanted, names, 'sets'),
      });
    }
  }
  if (only !== undefined && others.length === 0) return only;
  throw new PasskError('USAGE', `${recordings.join(', ')} has ${sets.length} sets: ${names.slice(0, 8).join(', ')}.`, {
    hint: 'Choose one with --set.',
  });
}
