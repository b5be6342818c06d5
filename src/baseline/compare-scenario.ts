import { fisherExact } from '../stats/fisher-exact.ts';
import { mcNemar } from '../stats/mcnemar.ts';
import { pairedDifferenceInterval } from '../stats/paired-difference.ts';
import type { Stratum } from '../stats/stratified-test.ts';
import { newcombeInterval, type Run } from '../stats/two-proportions.ts';
import type { DriftRun, ScenarioDrift } from '../types/reports/drift.ts';
import type { ComparedScenario } from './compared-run.ts';
import { divergenceOf } from './trail-divergence.ts';
import { independentFloor, pairedFloor } from './noise-floor.ts';
import { type TokenChange, tokenChange } from './token-drift.ts';
import { compareVerdicts, countVerdicts, MOST_VERDICTS } from './verdict-bits.ts';

/** One scenario compared, but for what depends on the others: correction and status. */
export interface Compared {
  readonly drift: Omit<ScenarioDrift, 'q' | 'status' | 'tokens'>;
  readonly tokens: TokenChange;
  readonly sample: Sample | null;
}

/** A scenario's part in the judgement of the suite; null where no trial was compared. */
export interface Sample {
  readonly stratum: Stratum;
  /** The compared trials of the baseline, and how many of this run. */
  readonly before: Run;
  readonly trials: number;
  /** True: equal draws give equal answers, so trials differ only by what changed. */
  readonly sameAnswers: boolean;
}

export interface CompareScenarioOptions {
  /** Two-sided level that the noise floor is of. */
  readonly level: number;
  readonly tokenTolerance: number;
}

/** What two runs of a scenario say about each other: trial by trial where they had the same draws, else as a whole. */
export function compareScenario(
  before: ComparedScenario,
  after: ComparedScenario,
  { level, tokenTolerance }: CompareScenarioOptions,
): Compared {
  const obstacle = whyUnpaired(before, after);
  const isRepeat = obstacle === null && isSameProgram(before, after) && before.trials === after.trials;
  const shared = {
    name: after.name,
    file: after.file,
    changed: before.draws === null || after.draws === null ? null : before.draws.digest !== after.draws.digest,
    before: runOf(before),
    after: runOf(after),
  };
  const { sample, ...answer } =
    obstacle === null ? comparePaired(before, after, level) : compareUnpaired(before, after, obstacle, level);
  const tokens = tokenChange(before, after, {
    tolerance: tokenTolerance,
    sameDraws: obstacle === null,
    isCertain: isRepeat || areConstant(before, after),
  });
  const divergence = divergenceOf(before, after);
  return { drift: { ...shared, ...answer, ...(divergence !== null && { divergence }) }, tokens, sample };
}

interface Answer extends Omit<Compared['drift'], 'name' | 'file' | 'changed' | 'before' | 'after' | 'divergence'> {
  readonly sample: Sample | null;
}

/** Null: trial i of both runs had the same draws. */
function whyUnpaired(before: ComparedScenario, after: ComparedScenario): string | null {
  const was = before.draws;
  const is = after.draws;
  if (was === null || is === null) return 'The baseline has no verdicts of single trials.';
  if (was.live || is.live) return 'Live models answer each trial anew, whatever its number.';
  if (was.sampler !== is.sampler) return `The baseline's sampler is ${was.sampler}, this run's ${is.sampler}.`;
  if (was.words.some((word, i) => word !== is.words[i])) return 'The runs have different seeds.';
  if (before.broken > 0 || after.broken > 0) return 'Broken trials have no verdict to compare.';
  if (before.spoilt > 0 || after.spoilt > 0) return 'Trials that a simulated user spoilt have no verdict to compare.';
  if (!was.whole || !is.whole) return 'A run was stopped early, so trials are missing.';
  return null;
}

/** Nothing is drawn in either, as far as anybody says. */
function areConstant({ draws: was }: ComparedScenario, { draws: is }: ComparedScenario): boolean {
  return is?.constant === true && (was?.constant ?? true);
}

function isSameProgram({ draws: was }: ComparedScenario, { draws: is }: ComparedScenario): boolean {
  return was !== null && is !== null && was.pure && is.pure && was.digest === is.digest;
}

function comparePaired(before: ComparedScenario, after: ComparedScenario, level: number): Answer {
  const was = before.draws;
  const is = after.draws;
  if (was === null || is === null) throw new TypeError('only runs with verdicts are paired');
  const trials = Math.min(before.trials, after.trials, MOST_VERDICTS);
  const { lost, gained } = compareVerdicts(was.verdicts, is.verdicts, trials);
  const difference = trials === 0 ? null : (gained - lost) / trials;
  const passed = countVerdicts(was.verdicts, trials);
  const isWhole = was.pure && is.pure;
  const sampleOf = (stratum: Stratum): Sample | null =>
    trials === 0 ? null : { stratum, before: { trials, passed }, trials, sameAnswers: isWhole };
  const shared = { comparison: 'paired', difference, pairs: { trials, lost, gained } } as const;
  const longest = Math.max(before.trials, after.trials);
  const which = trials === longest ? '' : ` The first ${trials} trials of both are compared.`;
  const certain = { interval: null, p: null, noiseFloor: 0 } as const;
  if (isSameProgram(before, after)) {
    // Beyond the kept verdicts, sums of equally many trials must agree as well.
    const beyond = before.trials === after.trials ? after.passed - before.passed - (gained - lost) : 0;
    const whole = before.trials === after.trials && trials > 0 ? rateOf(after) - rateOf(before) : difference;
    return {
      ...shared,
      ...certain,
      difference: whole,
      nondeterministic: lost + gained > 0 || beyond !== 0,
      why: `The same program with the same draws: chance plays no part.${which}`,
      test: 'exact_repeat',
      sample: sampleOf({ kind: 'exact', difference: whole ?? 0 }),
    };
  }
  if (was.constant && is.constant) {
    const why = `Nothing in it is drawn, so all trials of a run are the same: chance plays no part.${which}`;
    const sample = sampleOf({ kind: 'exact', difference: difference ?? 0 });
    return { ...shared, ...certain, nondeterministic: false, why, test: 'constant', sample };
  }
  const why = isWhole
    ? 'Both runs had the same draws, so they are compared trial by trial.'
    : 'Both runs had the same draws, so they are compared trial by trial; what answers from outside of passk may differ.';
  return {
    ...shared,
    nondeterministic: false,
    why: `${why}${which}${stoppedText(before, after)}`,
    interval: pairedDifferenceInterval(lost, gained, trials),
    test: trials === 0 ? null : 'mcnemar',
    p: mcNemar(lost, gained, trials)?.exact ?? null,
    // How much alike trials of the same draws are is not known where part of their answers comes from outside.
    noiseFloor: isWhole ? pairedFloor({ trials, passed }, level) : independentFloor({ trials, passed }, trials, level),
    sample: sampleOf({ kind: 'pairs', trials, lost, gained }),
  };
}

function compareUnpaired(before: ComparedScenario, after: ComparedScenario, why: string, level: number): Answer {
  const was = judged(before);
  const is = judged(after);
  const result = fisherExact(was, is);
  return {
    comparison: 'unpaired',
    why: `${why} They are compared as independent runs.${stoppedText(before, after)}`,
    nondeterministic: false,
    difference: result === null ? null : is.passed / is.trials - was.passed / was.trials,
    interval: newcombeInterval(was, is),
    pairs: null,
    test: result === null ? null : 'fisher',
    // Twice the smaller tail, so that a fall is called one by chance as seldom as a rise, also of unequal runs.
    p: result === null ? null : Math.min(1, 2 * Math.min(result.worse, result.better)),
    noiseFloor: independentFloor(was, is.trials, level),
    sample:
      result === null
        ? null
        : { stratum: { kind: 'runs', before: was, after: is }, before: was, trials: is.trials, sameAnswers: false },
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

function runOf({ trials, passed, broken, spoilt, passRate }: ComparedScenario): DriftRun {
  return { trials, passed, broken, ...(spoilt > 0 && { spoilt }), passRate };
}
