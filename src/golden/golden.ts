import { acceptGolden } from './accept-golden.ts';
import { goldenExitCode } from './golden-exit-code.ts';
import { pinGolden } from './pin-golden.ts';
import { renderGolden, renderGoldenSet } from './render-golden.ts';
import { runGolden } from './run-golden.ts';

/** A candidate held to a pinned set of tasks: what `passk golden` does, for programs. */
export const golden = {
  /** Writes down the set, and how the baseline does on it. */
  pin: pinGolden,
  /** Tries a candidate on the set. */
  run: runGolden,
  /** Makes the candidate that was tried last the baseline. */
  accept: acceptGolden,
  /** The exit code of `passk golden run`. */
  exitCode: goldenExitCode,
  /** How a candidate compares, as text for people. */
  render: renderGolden,
  /** What was pinned or accepted, as text for people. */
  renderSet: renderGoldenSet,
} as const;
