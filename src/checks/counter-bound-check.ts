import { COUNTERS, type CounterName } from '../types/scenario.ts';
import type { Check, PlainCheck, TrialView } from './check.ts';
import { type CheckParts, makeCheck } from './make-check.ts';

/** `max_…` of a counter: at most this. */
export function counterMaxCheck(counter: CounterName, bound: number): CheckParts {
  return kept(MAXIMA, counter, bound) ?? keep(MAXIMA, counter, new Bound('max', counter, bound));
}

/** `min_…` of a counter: at least this. */
export function counterMinCheck(counter: CounterName, bound: number): CheckParts {
  return kept(MINIMA, counter, bound) ?? keep(MINIMA, counter, new Bound('min', counter, bound));
}

/** What is said of a bound is put together when it is asked for: bounds are many, and each is its scenario's own. */
class Bound implements CheckParts {
  made?: Check;
  readonly expected: number;
  readonly holds: (view: TrialView) => boolean;
  private readonly side: 'max' | 'min';
  private readonly counter: CounterName;

  constructor(side: 'max' | 'min', counter: CounterName, bound: number) {
    this.side = side;
    this.counter = counter;
    this.expected = bound;
    this.holds = side === 'max' ? (view) => view.counter(counter) <= bound : (view) => view.counter(counter) >= bound;
  }

  get name(): string {
    return (this.side === 'max' ? MAX_NAMES : MIN_NAMES)[this.counter];
  }

  get plain(): PlainCheck {
    const { side, counter, expected } = this;
    const least = side === 'max' ? Number.NEGATIVE_INFINITY : expected;
    const most = side === 'max' ? expected : Number.POSITIVE_INFINITY;
    return { kind: 'bound', counter, least, most };
  }

  wanted(): string {
    return `${this.side === 'max' ? 'at most' : 'at least'} ${this.expected}`;
  }

  got(view: TrialView): number {
    return view.counter(this.counter);
  }

  saw(view: TrialView): string {
    return String(view.counter(this.counter));
  }
}

type Kept = Map<CounterName, (CheckParts | undefined)[]>;

/** Small bounds, which many scenarios have in common: by counter, then by bound. */
const MAXIMA: Kept = new Map();
const MINIMA: Kept = new Map();
const MOST_KEPT = 16;

function kept(checks: Kept, counter: CounterName, bound: number): CheckParts | undefined {
  const found = checks.get(counter)?.[bound];
  return Object.is(found?.expected, bound) ? found : undefined;
}

function keep(checks: Kept, counter: CounterName, parts: Bound): CheckParts {
  const { expected: bound } = parts;
  if (!Number.isInteger(bound) || bound < 0 || bound >= MOST_KEPT) return parts;
  const row = checks.get(counter) ?? new Array<undefined>(MOST_KEPT).fill(undefined);
  checks.set(counter, row);
  parts.made = makeCheck(parts, parts.name);
  row[bound] = parts;
  return parts;
}

/** The counter's word in the file. Tokens of all kinds are `total_tokens`, as the reference calls them. */
function counterKey(counter: CounterName): string {
  if (counter === 'llmTokens') return 'total_tokens';
  return counter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function namesOf(bound: 'max' | 'min'): Readonly<Record<CounterName, string>> {
  const names = COUNTERS.map((counter) => [counter, `${bound}_${counterKey(counter)}`]);
  return Object.fromEntries(names) as Record<CounterName, string>;
}

const MAX_NAMES = namesOf('max');
const MIN_NAMES = namesOf('min');
