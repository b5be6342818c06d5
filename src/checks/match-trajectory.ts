import type { ArgumentMatch, TrajectoryTerms } from '../types/recordings/gold-expectation.ts';
import type { Json } from '../types/json.ts';
import { countWork } from '../values/work.ts';
import { matchesArguments } from './match-arguments.ts';
import { groupBy } from '../values/group-by.ts';

/** A call as trajectories compare it. */
export interface TrajectoryCall {
  readonly name: string;
  readonly args: Json;
  /** Of a gold call that says itself which arguments are meant; absent: they are compared as the terms say. */
  readonly fits?: (args: Json) => boolean;
}

/** All arguments of all tools are compared. */
export const EXACT_ARGUMENTS: Omit<TrajectoryTerms, 'match'> = { args: 'exact', tools: {} };

/**
 * Whether calls follow gold ones. `strict`: the same calls in the same order. `unordered`: the same calls, each as often.
 * `subset`: no call that is not gold. `superset`: every gold call, and maybe others. `in-order`: every gold call, in order,
 * and maybe others between them. Source: release-gate M-10; the first four as in agentevals.
 */
export function matchesTrajectory(
  calls: readonly TrajectoryCall[],
  gold: readonly TrajectoryCall[],
  terms: TrajectoryTerms,
): boolean {
  const isSame = sameCall(terms);
  switch (terms.match) {
    case 'strict':
      return calls.length === gold.length && calls.every((call, at) => isSame(call, gold[at] as TrajectoryCall));
    case 'unordered':
      return calls.length === gold.length && pairsAll(gold, calls, (wanted, call) => isSame(call, wanted));
    case 'subset':
      return calls.length <= gold.length && pairsAll(calls, gold, isSame);
    case 'superset':
      return gold.length <= calls.length && pairsAll(gold, calls, (wanted, call) => isSame(call, wanted));
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
  terms: Omit<TrajectoryTerms, 'match'> = EXACT_ARGUMENTS,
): boolean {
  const follows = (match: TrajectoryTerms['match']): boolean => matchesTrajectory(calls, gold, { ...terms, match });
  return !follows('strict') && follows('unordered');
}

type Same = (call: TrajectoryCall, gold: TrajectoryCall) => boolean;

/** Of a call and a gold one, in that order: it may have more arguments, and not the other way round. */
export function sameCall({ args, tools }: Pick<TrajectoryTerms, 'args' | 'tools'>): Same {
  return (call, wanted) =>
    call.name === wanted.name &&
    (wanted.fits?.(call.args) ?? matchesArguments(call.args, wanted.args, matchOf(call.name, { args, tools })));
}

/** How arguments of a tool are compared. */
export function matchOf(tool: string, { args, tools }: Pick<TrajectoryTerms, 'args' | 'tools'>): ArgumentMatch {
  return (Object.hasOwn(tools, tool) ? tools[tool] : undefined) ?? args;
}

function pairsAll(...[these, others, fits]: Parameters<typeof firstUnpaired>): boolean {
  return firstUnpaired(these, others, fits) < 0;
}

/**
 * The first of these with which there are too few others for each to have one to itself; −1: there are enough. Where a call may have more or fewer arguments than a gold one, the
 * first that fits may be the only one for another, so that pairs are exchanged until all fit, or none can (Kuhn 1955).
 */
export function firstUnpaired(
  these: readonly TrajectoryCall[],
  others: readonly TrajectoryCall[],
  fits: (one: TrajectoryCall, other: TrajectoryCall) => boolean,
): number {
  countWork(these.length);
  const inStep = these.length <= others.length && these.every((one, at) => fits(one, others[at] as TrajectoryCall));
  // Most trials do what is right, in the order in which it is written.
  if (inStep) return -1;
  // A call may stand in a list twice: each place is one of its own.
  const places = others.map((call): Place => ({ call }));
  const byName = groupBy(places, ({ call }) => call.name);
  const owners = new Map<Place, Place>();
  const partners = new Map<Place, Place>();
  return these.findIndex((call) => !settle({ call }));

  /** Finds a partner for one more, by the shortest row of exchanges. */
  function settle(one: Place): boolean {
    const reached = new Map<Place, Place>();
    const waiting = [one];
    for (const asking of waiting) {
      const group = byName.get(asking.call.name) ?? [];
      countWork(group.length);
      for (const other of group) {
        if (reached.has(other) || !fits(asking.call, other.call)) continue;
        reached.set(other, asking);
        const owner = owners.get(other);
        if (owner !== undefined) waiting.push(owner);
        else {
          exchange(other, reached);
          return true;
        }
      }
    }
    return false;
  }

  function exchange(free: Place, reached: ReadonlyMap<Place, Place>): void {
    let other: Place | undefined = free;
    while (other !== undefined) {
      const asking = reached.get(other);
      if (asking === undefined) return;
      const before = partners.get(asking);
      owners.set(other, asking);
      partners.set(asking, other);
      other = before;
    }
  }
}

interface Place {
  readonly call: TrajectoryCall;
}
