import type { SessionTrail, TrailCall, TrailDivergence } from '../types/sessions/session-trail.ts';
import type { ComparedScenario } from './compared-run.ts';

/** Where a session that failed leaves one that passed before; null: the pass rate did not fall, or nobody kept their calls. */
export function divergenceOf(
  before: Pick<ComparedScenario, 'passRate' | 'calls'>,
  after: Pick<ComparedScenario, 'passRate' | 'calls'>,
): TrailDivergence | null {
  const [was, is] = [before.calls.passed, after.calls.failed];
  if (was === null || is === null || before.passRate === null || after.passRate === null) return null;
  return after.passRate < before.passRate ? trailDivergence(was, is) : null;
}

/** The first call at which two trails differ: by who called, what, and with which arguments. */
export function trailDivergence(was: SessionTrail, is: SessionTrail): TrailDivergence {
  const trials = { trial: is.trial, baselineTrial: was.trial };
  if (was.digest === is.digest && was.made === is.made) {
    return { ...trials, at: null, call: null, expected: null, text: `makes ${sameCalls(was.made)}` };
  }
  let at = 0;
  while (isSame(was.calls[at], is.calls[at])) at++;
  const [call = null, expected = null] = [is.calls[at], was.calls[at]];
  return { ...trials, at, call, expected, text: divergenceText(was, is, at) };
}

function sameCalls(made: number): string {
  if (made === 0) return 'no call, as the baseline: only answers differ';
  return `the same ${made === 1 ? 'call' : `${made} calls`} as the baseline: only answers differ`;
}

function isSame(one: TrailCall | undefined, other: TrailCall | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.tool === other.tool && one.args === other.args && one.by === other.by;
}

function divergenceText(was: SessionTrail, is: SessionTrail, at: number): string {
  const [call, expected] = [is.calls[at], was.calls[at]];
  const place = `call ${at + 1}`;
  // The digests differ, so that one of them goes on beyond what is kept.
  if ((call === undefined && at < is.made) || (expected === undefined && at < was.made)) {
    return `leaves the calls of the baseline at ${place} or later: no more of them are kept`;
  }
  if (call === undefined) return `makes no ${place}, where the baseline has ${textOf(expected)}`;
  const stage = call.message === null ? '' : ` (message ${call.message})`;
  if (expected === undefined) return `${place}${stage} is ${textOf(call)}, where the baseline makes no more`;
  return `${place}${stage} is ${textOf(call)} in place of ${textOf(expected)}`;
}

function textOf(call: TrailCall | undefined): string {
  if (call === undefined) return 'none';
  return `${call.by === undefined ? '' : `${call.by}: `}${call.tool} ${call.args}`;
}
