import { canaryExitCode } from './canary-exit-code.ts';
import { parseCandidate } from './assumed-candidates.ts';
import { renderCanaryPage, renderRehearsalPage } from './canary-page.ts';
import { rehearseCanary } from './rehearse-canary.ts';
import { renderCanary } from './render-canary.ts';
import { renderRehearsal } from './render-rehearsal.ts';
import { renderShadow } from './render-shadow.ts';
import { serveCanary } from './serve-canary.ts';
import { shadowCanary } from './shadow-canary.ts';
import { canarySetAside, canaryStatus, stepCanary } from './step-canary.ts';

/** Rollouts of a candidate by what it does in production: what `passk canary` does, for programs. */
export const canary = {
  /** Counts outcomes, and promotes, holds or takes back the candidate. */
  step: stepCanary,
  /** Takes outcomes at an address of this machine. */
  serve: serveCanary,
  /** Says where a rollout stands. */
  status: canaryStatus,
  /** The lines that were set aside. */
  setAside: canarySetAside,
  /** Plays rollouts of a configuration with candidates that are assumed. */
  rehearse: rehearseCanary,
  /** Tries a candidate on what production met, without effects, and writes outcomes of stage 0. */
  shadow: shadowCanary,
  /** An assumed candidate as words have it: `worse=0.93,cost=0.04`. */
  parseCandidate,
  /** A rehearsal as text for people. */
  renderRehearsal,
  /** What a candidate did in the shadow, as text for people. */
  renderShadow,
  /** Both as a page that needs no network. */
  renderPage: renderCanaryPage,
  renderRehearsalPage,
  /** The exit code of `passk canary step`. */
  exitCode: canaryExitCode,
  /** A rollout as text for people. */
  render: renderCanary,
} as const;
