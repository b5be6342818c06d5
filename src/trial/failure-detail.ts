import type { Check, TrialView } from '../checks/check.ts';
import { outcomeOf } from '../engine/outcome.ts';
import type { Walk } from '../engine/walk.ts';
import type { FailureDetail } from '../types/scenarios/failure-report.ts';
import { hideCredentials } from '../text/hide-credentials.ts';
import { integerAsText } from '../values/exact-json.ts';

/** Visited nodes that are kept; a longer path ends with `…`. */
const MAX_PATH = 200;
/** Characters of a reason or cause that are kept. */
const MAX_REASON = 2000;
/** A detail longer than this loses the values of its findings, never their messages. */
const MAX_DETAIL = 64 * 1024;

/**
 * A trial that did not pass, as JSON text of a `FailureDetail`: what the report shows without running it again. `fired`:
 * the declared faults that fired; null: none is declared.
 */
export function failureDetail(
  walk: Walk,
  failed: readonly Check[],
  view: TrialView,
  fired: readonly string[] | null,
): string {
  const { trialState } = walk;
  const outcome = outcomeOf(walk);
  const { path } = outcome;
  const detail: FailureDetail = {
    trial: trialState.trial,
    verdict: trialState.brokenBy === null ? 'failed' : 'broken',
    findings: failed.map((check) => check.explain(view)),
    path,
    status: trialState.brokenBy === null ? outcome.status : null,
    stoppedBy: trialState.brokenBy === null ? outcome.stoppedBy : null,
    reason: trialState.brokenBy === null ? outcome.reason : null,
    brokenBy: trialState.brokenBy,
    ...(fired !== null && { fired }),
  };
  const text = detailText(detail);
  // Real time is no part of a report: the same files and answers give the same bytes.
  const lasting = { ...outcome, elapsedUs: walk.clockUs };
  const end = trialState.brokenBy === null ? ({ kind: 'end', walk: '', outcome: lasting } as const) : null;
  const recorded = trialState.recorder?.keep?.(trialState.trial, end) ?? null;
  // As text: what has been encoded while the trial ran is not decoded for this.
  return recorded === null ? text : `${text.slice(0, -1)},"trace":${recorded}}`;
}

/** The detail as JSON text: long paths and reasons are cut, credentials hidden. A record in it has been cut by itself. */
export function detailText({ record, ...detail }: FailureDetail): string {
  const { path, reason, brokenBy } = detail;
  const text = withinLimit({
    ...detail,
    path: path.length > MAX_PATH ? [...path.slice(0, MAX_PATH), '…'] : path,
    reason: shortened(reason),
    brokenBy: shortened(brokenBy),
  });
  const shown = hideCredentials(text);
  return record === undefined ? shown : `${shown.slice(0, -1)},"record":${JSON.stringify(record, integerAsText)}}`;
}

function withinLimit(detail: FailureDetail): string {
  const text = JSON.stringify(detail, integerAsText);
  if (text.length <= MAX_DETAIL) return text;
  const findings = detail.findings.map((finding) => ({ ...finding, expected: null, got: null }));
  return JSON.stringify({ ...detail, findings }, integerAsText);
}

function shortened(text: string | null): string | null {
  return text === null || text.length <= MAX_REASON ? text : `${text.slice(0, MAX_REASON)}…`;
}
