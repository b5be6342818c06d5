import type { TrajectoryMatch } from '../types/recording.ts';
import type { Json } from '../types/json.ts';
import { deepEqual } from '../values/deep-equal.ts';

/** A call as trajectories compare it. */
export interface TrajectoryCall {
  readonly name: string;
  readonly args: Json;
}

export interface TrajectoryTerms {
  readonly match: TrajectoryMatch;
  /** `ignore`: names alone are compared. Numbers are the same where their values are: 1 and 1.0. */
  readonly args: 'exact' | 'ignore';
}

/**
 * Whether calls follow gold ones. `strict`: the same calls in the same order. `unordered`: the same calls, each as often.
 * `subset`: no call that is not gold. `superset`: every gold call, and maybe others. `in-order`: every gold call, in order,
 * and maybe others between them. Source: release-gate M-10; the first four as in agentevals.
 */
export function matchesTrajectory(
  calls: readonly TrajectoryCall[],
  gold: readonly TrajectoryCall[],
  { match, args }: TrajectoryTerms,
): boolean {
  const isSame = (a: TrajectoryCall, b: TrajectoryCall): boolean =>
    a.name === b.name && (args === 'ignore' || deepEqual(a.args, b.args));
  switch (match) {
    case 'strict':
      return calls.length === gold.length && calls.every((call, at) => isSame(call, gold[at] as TrajectoryCall));
    case 'unordered':
      return calls.length === gold.length && holdsAll(calls, gold, isSame);
    case 'subset':
      return calls.length <= gold.length && holdsAll(gold, calls, isSame);
    case 'superset':
      return gold.length <= calls.length && holdsAll(calls, gold, isSame);
    case 'in-order': {
      let next = 0;
      for (const call of calls) {
        const wanted = gold[next];
        if (wanted !== undefined && isSame(call, wanted)) next++;
      }
      return next === gold.length;
    }
  }
}

/** Whether the calls are the gold ones, but in another order. */
export function isOrderOnly(
  calls: readonly TrajectoryCall[],
  gold: readonly TrajectoryCall[],
  args: TrajectoryTerms['args'] = 'exact',
): boolean {
  const follows = (match: TrajectoryMatch): boolean => matchesTrajectory(calls, gold, { match, args });
  return !follows('strict') && follows('unordered');
}

type Same = (a: TrajectoryCall, b: TrajectoryCall) => boolean;

/** Whether each wanted call has a call of its own: sameness is transitive, so that the first free one will do. */
function holdsAll(calls: readonly TrajectoryCall[], wanted: readonly TrajectoryCall[], isSame: Same): boolean {
  const byName = new Map<string, TrajectoryCall[]>();
  for (const call of calls) {
    const group = byName.get(call.name);
    if (group === undefined) byName.set(call.name, [call]);
    else group.push(call);
  }
  return wanted.every((one) => {
    const free = byName.get(one.name) ?? [];
    const at = free.findIndex((call) => isSame(call, one));
    if (at !== -1) free.splice(at, 1);
    return at !== -1;
  });
}
