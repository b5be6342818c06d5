import { canaryExitCode } from './canary-exit-code.ts';
import { renderCanary } from './render-canary.ts';
import { canarySetAside, canaryStatus, stepCanary } from './step-canary.ts';

/** Rollouts of a candidate by what it does in production: what `passk canary` does, for programs. */
export const canary = {
  /** Counts outcomes, and promotes, holds or takes back the candidate. */
  step: stepCanary,
  /** Says where a rollout stands. */
  status: canaryStatus,
  /** The lines that were set aside. */
  setAside: canarySetAside,
  /** The exit code of `passk canary step`. */
  exitCode: canaryExitCode,
  /** A rollout as text for people. */
  render: renderCanary,
} as const;
