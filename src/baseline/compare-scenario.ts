import { mcNemar } from '../stats/mcnemar.ts';
import { pairedDifferenceInterval } from '../stats/paired-difference.ts';
import { newcombeInterval, type Run } from '../stats/two-proportions.ts';
import type { DriftRun, ScenarioDrift } from '../types/drift.ts';
import type { ComparedScenario } from './compared-run.ts';
import { pairedFloor, unpairedFloor } from './noise-floor.ts';
import { proportionTest } from './proportion-test.ts';
import { tokenDrift } from './token-drift.ts';
import { compareVerdicts, countVerdicts, MOST_VERDICTS } from './verdict-bits.ts';

/** One scenario compared, but for what depends on the others: correction and status. */
export type Compared = Omit<ScenarioDrift, 'q' | 'status'>;

export interface CompareScenarioOptions {
  readonly alpha: number;
  readonly tokenTolerance: number;
}

/** What two runs of a scenario say about each other: trial by trial where they had the same draws, else as a whole. */
export function compareScenario(
  before: ComparedScenario,
  after: ComparedScenario,
  { alpha, tokenTolerance }: CompareScenarioOptions,
): Compared {
  const obstacle = whyUnpaired(before, after);
  const tokens = tokenDrift(before, after, { tolerance: tokenTolerance, sameDraws: obstacle === null });
  const shared = {
    name: after.name,
    file: after.file,
    changed: before.draws === null || after.draws === null ? null : before.draws.digest !== after.draws.digest,
    before: runOf(before),
    after: runOf(after),
    tokens,
  };
  return obstacle === null
    ? { ...shared, ...comparePaired(before, after, alpha) }
    : { ...shared, ...compareUnpaired(before, after, obstacle, alpha) };
}

type Answer = Omit<Compared, 'name' | 'file' | 'changed' | 'before' | 'after' | 'tokens'>;

/** Null: trial i of both runs had the same draws. */
function whyUnpaired(before: ComparedScenario, after: ComparedScenario): string | null {
  const was = before.draws;
  const is = after.draws;
  if (was === null || is === null) return 'The baseline has no verdicts of single trials.';
  if (was.sampler !== is.sampler) return `The baseline's sampler is ${was.sampler}, this run's ${is.sampler}.`;
  if (was.words.some((word, i) => word !== is.words[i])) return 'The runs have different seeds.';
  if (before.broken > 0 || after.broken > 0) return 'Broken trials have no verdict to compare.';
  if (!was.whole || !is.whole) return 'A run was stopped early, so trials are missing.';
  return null;
}

function comparePaired(before: ComparedScenario, after: ComparedScenario, alpha: number): Answer {
  const was = before.draws;
  const is = after.draws;
  if (was === null || is === null) throw new TypeError('only runs with verdicts are paired');
  const trials = Math.min(before.trials, after.trials, MOST_VERDICTS);
  const { lost, gained } = compareVerdicts(was.verdicts, is.verdicts, trials);
  const difference = trials === 0 ? null : (gained - lost) / trials;
  const shared = { comparison: 'paired', difference, pairs: { trials, lost, gained } } as const;
  const longest = Math.max(before.trials, after.trials);
  const which = trials === longest ? '' : ` The first ${trials} trials of both are compared.`;
  if (was.pure && is.pure && was.digest === is.digest) {
    // Beyond the kept verdicts, sums of equally many trials must agree as well.
    const beyond = before.trials === after.trials ? after.passed - before.passed - (gained - lost) : 0;
    return {
      ...shared,
      difference: before.trials === after.trials && trials > 0 ? rateOf(after) - rateOf(before) : difference,
      nondeterministic: lost + gained > 0 || beyond !== 0,
      why: `The same program with the same draws: chance plays no part.${which}`,
      interval: null,
      test: 'exact_repeat',
      p: null,
      noiseFloor: 0,
    };
  }
  if (was.constant && is.constant) {
    const why = `Nothing in it is drawn, so all trials of a run are the same: chance plays no part.${which}`;
    return { ...shared, nondeterministic: false, why, interval: null, test: 'constant', p: null, noiseFloor: 0 };
  }
  const passed = countVerdicts(was.verdicts, trials);
  return {
    ...shared,
    nondeterministic: false,
    why: `Both runs had the same draws, so they are compared trial by trial.${which}${stoppedText(before, after)}`,
    interval: pairedDifferenceInterval(lost, gained, trials),
    test: trials === 0 ? null : 'mcnemar',
    p: mcNemar(lost, gained, trials)?.exact ?? null,
    noiseFloor: pairedFloor({ trials, passed }, alpha),
  };
}

function compareUnpaired(before: ComparedScenario, after: ComparedScenario, why: string, alpha: number): Answer {
  const was = judged(before);
  const is = judged(after);
  const result = proportionTest(was, is);
  return {
    comparison: 'unpaired',
    why: `${why} They are compared as independent runs.${stoppedText(before, after)}`,
    nondeterministic: false,
    difference: result === null ? null : is.passed / is.trials - was.passed / was.trials,
    interval: newcombeInterval(was, is),
    pairs: null,
    test: result?.test ?? null,
    p: result?.p ?? null,
    noiseFloor: unpairedFloor(was, is.trials, alpha),
  };
}

/** Tests and intervals suppose that a number of trials was not chosen for what they gave. */
function stoppedText(before: ComparedScenario, after: ComparedScenario): string {
  const stopped = before.draws?.stopped === true || after.draws?.stopped === true;
  return stopped ? ' A run stopped when its verdict was settled: p and interval are approximate.' : '';
}

function judged({ trials, broken, passed }: ComparedScenario): Run {
  return { trials: trials - broken, passed };
}

function rateOf({ trials, passed }: ComparedScenario): number {
  return passed / trials;
}

function runOf({ trials, passed, broken, passRate }: ComparedScenario): DriftRun {
  return { trials, passed, broken, passRate };
}
