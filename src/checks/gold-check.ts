import type { GoldExpectation } from '../types/recordings/gold-expectation.ts';
import type { Json } from '../types/json.ts';
import type { Call, Turn } from '../types/record.ts';
import { countWork } from '../values/work.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import type { SchemaCompiler } from '../matching/value-test.ts';
import { compileGold } from './compile-gold.ts';
import { divergenceText, firstDivergence } from './first-divergence.ts';
import { isOrderOnly, matchesTrajectory, type TrajectoryCall } from './match-trajectory.ts';
import { RULING } from './ruling.ts';
import { showText } from './show-value.ts';

/** The check that compares the calls of a recorded trial with those that its source holds to be right. */
export const GOLD = 'gold';

const WANTED = {
  strict: 'the gold calls in their order',
  unordered: 'the gold calls in any order',
  subset: 'no call but gold ones',
  superset: 'every gold call',
  'in-order': 'every gold call in order',
} as const;

/**
 * `gold`: calls of tools against the gold calls of the source. A trial without gold calls, or whose calls were not seen, is
 * undecided. Calls can be right in more than one way, so a trial that differs is counted and passes, unless `counts` is true.
 */
export function goldCheck({ counts, ...terms }: GoldExpectation, compileSchema: SchemaCompiler): CheckParts {
  const compiled = compileGold(terms, compileSchema);
  const goldOf = (view: TrialView): readonly TrajectoryCall[] | null => {
    const gold = view.gold();
    return gold && compiled(gold);
  };
  const differs = (view: TrialView): boolean | null => {
    const [calls, gold] = [callsOf(view), goldOf(view)];
    if (calls === null || gold === null) return null;
    countWork(calls.length * gold.length);
    return !matchesTrajectory(calls, gold, terms);
  };
  return {
    name: GOLD,
    expected: { ...terms } as unknown as Json,
    wanted: WANTED[terms.match],
    ruling: (view) => {
      const found = differs(view);
      if (found === null) return RULING.undecided;
      if (!found) return RULING.judged;
      return RULING.judged | (counts ? RULING.disobeyed : RULING.advised);
    },
    holds: (view) => !counts || differs(view) !== true,
    got: (view) => callsOf(view)?.map(({ name, args }) => ({ name, args })) ?? null,
    saw: (view) => {
      const [calls, gold] = [callsOf(view), goldOf(view)];
      if (gold === null) return 'a source without gold calls';
      if (calls === null) return 'no sight of its calls';
      const order = isOrderOnly(calls, gold, terms) ? 'ORDER_ONLY: the gold calls in another order: ' : '';
      const divergence = firstDivergence(calls, gold, terms);
      const first =
        divergence === null ? '' : `; first divergence: ${divergenceText(divergence, calls, gold, messages(view))}`;
      return `${order}${namesOf(calls)}; gold: ${namesOf(gold)}${first}`;
    },
  };
}

/** The calls that are compared with gold ones; null: they were not seen. */
export function comparedCalls(calls: readonly Call[] | null): readonly Call[] | null {
  return calls?.filter(({ port, denied }) => port === 'tool' && !denied) ?? null;
}

/** The message of the user that each of these calls was made for, from 1. */
export function messagesOf(turns: readonly Turn[], calls: readonly Call[]): (call: number) => number | null {
  return (call) => {
    const turn = calls[call]?.turn ?? 0;
    const before = turns.slice(0, turn).filter(({ role }) => role === 'user').length;
    return before === 0 ? null : before;
  };
}

function messages(view: TrialView): (call: number) => number | null {
  return messagesOf(view.turns() ?? [], comparedCalls(view.calls()) ?? []);
}

function callsOf(view: TrialView): readonly TrajectoryCall[] | null {
  return comparedCalls(view.calls())?.map(({ names, args }) => ({ name: names[0] ?? '', args })) ?? null;
}

function namesOf(calls: readonly TrajectoryCall[]): string {
  return calls.length === 0 ? 'no call' : showText(calls.map(({ name }) => name).join(', '));
}
