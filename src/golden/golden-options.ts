import type { RunSuiteOptions } from '../settings/options.ts';
import type { TryOptions } from '../settings/try-options.ts';
import type { GoldenLimits } from '../types/golden/golden-report.ts';
import type { SuiteReport } from '../types/reports/report.ts';

/** Options of `golden.pin()`. */
export interface PinGoldenOptions extends TryOptions, Pick<RunSuiteOptions, 'paths' | 'trials' | 'seed'> {
  /** The file that gets the golden set; its files stand in its folder or below. */
  readonly out: string;
  /** How often the baseline runs; default 1. */
  readonly runs?: number;
}

/** Options of `golden.run()`. */
export interface RunGoldenOptions extends TryOptions {
  /** The file of the golden set. */
  readonly set: string;
  /** Files in which tasks of the same names stand, in place of the pinned ones; absent: the pinned ones are run. */
  readonly paths?: readonly string[];
  /** How often the candidate runs; default 1. Further runs count once it is accepted. */
  readonly runs?: number;
  /** What may become worse; what is left out has its default. */
  readonly limits?: Partial<GoldenLimits>;
  /** The name of one of `judges` that compares, which says whether answers became better or worse; absent: none is asked. */
  readonly judge?: string;
  /** Called with the report of the candidate's run, in which the comparison stands, for reporters. */
  readonly onReport?: (report: SuiteReport) => void;
  /** A file of JSON lines, or a URL that is granted; absent: no issue is filed. */
  readonly issueSink?: string;
}

/** Options of `golden.accept()`. */
export interface AcceptGoldenOptions {
  /** The file of the golden set. */
  readonly set: string;
  /** Why. */
  readonly reason: string;
  /** Who says so. */
  readonly by?: string;
  /** True: also a candidate that did not pass; default false. */
  readonly force?: boolean;
  /** What relative paths start from; absent: the working directory. */
  readonly cwd?: string;
}

/** F-09 leaves these to the user. */
export const GOLDEN_LIMITS: GoldenLimits = {
  margin: 0.02,
  maxRegressionRate: 0.05,
  maxCostIncrease: 0.1,
  maxPreferenceLoss: 0.05,
  alpha: 0.05,
  minTasks: 200,
};
