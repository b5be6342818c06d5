import { COUNTERS, type CounterName } from '../types/scenario.ts';
import type { Check, PlainCheck, TrialView } from './check.ts';
import { type CheckParts, makeCheck } from './make-check.ts';

/** `max_…` of a counter: at most this. */
export function counterMaxCheck(counter: CounterName, bound: number): CheckParts {
  return kept(MAXIMA, counter, bound) ?? keep(MAXIMA, counter, new Maximum(counter, bound));
}

/** `min_…` of a counter: at least this. */
export function counterMinCheck(counter: CounterName, bound: number): CheckParts {
  return kept(MINIMA, counter, bound) ?? keep(MINIMA, counter, new Minimum(counter, bound));
}

/** What is said of a bound is put together when it is asked for: bounds are many, and each is its scenario's own. */
abstract class Bound implements CheckParts {
  abstract readonly name: string;
  abstract readonly plain: PlainCheck;
  abstract readonly holds: (view: TrialView) => boolean;
  made?: Check;
  readonly expected: number;
  protected readonly counter: CounterName;

  constructor(counter: CounterName, bound: number) {
    this.counter = counter;
    this.expected = bound;
  }

  abstract wanted(): string;

  got(view: TrialView): number {
    return view.counter(this.counter);
  }

  saw(view: TrialView): string {
    return String(view.counter(this.counter));
  }
}

class Maximum extends Bound {
  readonly holds: (view: TrialView) => boolean;

  constructor(counter: CounterName, bound: number) {
    super(counter, bound);
    this.holds = (view) => view.counter(counter) <= bound;
  }

  get name(): string {
    return MAX_NAMES[this.counter];
  }

  get plain(): PlainCheck {
    return { kind: 'bound', counter: this.counter, least: Number.NEGATIVE_INFINITY, most: this.expected };
  }

  wanted(): string {
    return `at most ${this.expected}`;
  }
}

class Minimum extends Bound {
  readonly holds: (view: TrialView) => boolean;

  constructor(counter: CounterName, bound: number) {
    super(counter, bound);
    this.holds = (view) => view.counter(counter) >= bound;
  }

  get name(): string {
    return MIN_NAMES[this.counter];
  }

  get plain(): PlainCheck {
    return { kind: 'bound', counter: this.counter, least: this.expected, most: Number.POSITIVE_INFINITY };
  }

  wanted(): string {
    return `at least ${this.expected}`;
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
