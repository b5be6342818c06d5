import type { Divergence } from '../types/recordings/gold-expectation.ts';
import type { TrajectoryTerms } from '../types/recordings/gold-expectation.ts';
import { firstUnpaired, sameCall, type TrajectoryCall } from './match-trajectory.ts';
import { showValue } from './show-value.ts';

/**
 * Where calls first leave gold ones; null exactly where they follow them. It is the shortest beginning of the calls, or else of
 * the gold calls, that already cannot be matched.
 */
export function firstDivergence(
  calls: readonly TrajectoryCall[],
  gold: readonly TrajectoryCall[],
  terms: TrajectoryTerms,
): Divergence | null {
  const isSame = sameCall(terms);
  const missing = (): Divergence | null => {
    const at = firstUnpaired(gold, calls, (wanted, call) => isSame(call, wanted));
    return at < 0
      ? null
      : { call: closest(calls, gold[at], (call) => !gold.some((one) => isSame(call, one))), gold: at };
  };
  const surplus = (): Divergence | null => {
    const at = firstUnpaired(calls, gold, isSame);
    return at < 0
      ? null
      : { call: at, gold: closest(gold, calls[at], (one) => !calls.some((call) => isSame(call, one))) };
  };
  switch (terms.match) {
    case 'strict': {
      const most = Math.max(calls.length, gold.length);
      for (let at = 0; at < most; at++) {
        const [call, wanted] = [calls[at], gold[at]];
        if (call !== undefined && wanted !== undefined && isSame(call, wanted)) continue;
        return { call: call === undefined ? null : at, gold: wanted === undefined ? null : at };
      }
      return null;
    }
    case 'unordered':
      return surplus() ?? missing();
    case 'subset':
      return surplus();
    case 'superset':
      return missing();
    case 'in-order': {
      let next = 0;
      let after = 0;
      for (const [at, call] of calls.entries()) {
        const wanted = gold[next];
        if (wanted === undefined || !isSame(call, wanted)) continue;
        next++;
        after = at + 1;
      }
      if (next === gold.length) return null;
      const found = closest(calls.slice(after), gold[next], () => true);
      return { call: found === null ? null : after + found, gold: next };
    }
  }
}

/** A divergence in one sentence without an end. `messageOf`: the message of the user that a call was made for, from 1. */
export function divergenceText(
  { call, gold }: Divergence,
  calls: readonly TrajectoryCall[],
  golds: readonly TrajectoryCall[],
  messageOf: (call: number) => number | null = () => null,
): string {
  const [made, wanted] = [callAt(calls, call), callAt(golds, gold)];
  if (call === null || made === null) return `gold call ${(gold ?? 0) + 1}, ${wanted ?? 'none'}, was not made`;
  const message = messageOf(call);
  const place = `call ${call + 1}${message === null ? '' : ` (message ${message})`}`;
  if (gold === null || wanted === null) return `${place} is ${made}, which no gold call is`;
  return `${place} is ${made} in place of gold call ${gold + 1}, ${wanted}`;
}

/** The first of these that has the name of the call and is the same as none on the other side: what it may have been meant for. */
function closest(
  these: readonly TrajectoryCall[],
  call: TrajectoryCall | undefined,
  isFree: (one: TrajectoryCall) => boolean,
): number | null {
  const at = these.findIndex((one) => one.name === call?.name && isFree(one));
  return at < 0 ? null : at;
}

function callAt(calls: readonly TrajectoryCall[], at: number | null): string | null {
  const call = at === null ? undefined : calls[at];
  return call === undefined ? null : `${call.name} ${showValue(call.args)}`;
}
