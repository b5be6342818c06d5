import type { Json } from '../types/json.ts';
import { countWork } from '../values/work.ts';
import type { Checking, Evaluated, Rule } from './rule.ts';

/** Schemas applied inside each other. Values of JSON text are nested at most 127 deep. */
const MAX_DEPTH = 1500;

/** Ends a check that has no answer within its bounds. */
export class CheckGivenUp extends Error {}

/**
 * One check of one value. What a schema that is referred to says of a value is remembered, so that alternatives that
 * refer to themselves take time linear in the value, and a schema that leads back to itself is found out.
 */
export class SchemaCheck implements Checking {
  private readonly results = new Map<Rule, Map<Json, Evaluated | boolean | typeof OPEN>>();
  private readonly mostSteps: number;
  private steps = 0;
  private depth = 0;

  /** A step: a schema that is applied to a value, or a thing that a keyword looks at. */
  constructor(mostSteps: number) {
    this.mostSteps = mostSteps;
  }

  /** Counts steps. Throws `CheckGivenUp` when there are too many. */
  count(steps: number): void {
    this.steps += steps;
    if (this.steps > this.mostSteps) throw new CheckGivenUp(`the check takes more than ${this.mostSteps} steps`);
    countWork(steps);
  }

  /** True when a value inside the present one fits. */
  fits(rule: Rule, value: Json): boolean {
    return this.apply(rule, value) !== false;
  }

  /** True when the present value fits another schema as well; what that one has evaluated counts here too. */
  fitsToo(rule: Rule, value: Json, evaluated: Evaluated | null): boolean {
    const result = this.apply(rule, value);
    if (result === false) return false;
    if (evaluated !== null && result !== true) {
      for (const key of result.keys) evaluated.keys.add(key);
      for (const index of result.items) evaluated.items.add(index);
    }
    return true;
  }

  private apply(rule: Rule, value: Json): Evaluated | boolean {
    this.count(1);
    if (!rule.isShared) return this.run(rule, value);
    const results = this.resultsOf(rule);
    const before = results.get(value);
    if (before === OPEN) throw new CheckGivenUp('the schema refers to itself without end');
    if (before !== undefined) return before;
    results.set(value, OPEN);
    const result = this.run(rule, value);
    results.set(value, result);
    return result;
  }

  private run({ keywords, tracks }: Rule, value: Json): Evaluated | boolean {
    if (this.depth >= MAX_DEPTH) throw new CheckGivenUp('the value is nested too deeply to be checked');
    this.depth++;
    const evaluated = tracks ? { keys: new Set<string>(), items: new Set<number>() } : null;
    for (const keyword of keywords) if (!keyword.holds(value, this, evaluated)) return this.leave(false);
    return this.leave(evaluated ?? true);
  }

  private leave<T>(result: T): T {
    this.depth--;
    return result;
  }

  private resultsOf(rule: Rule): Map<Json, Evaluated | boolean | typeof OPEN> {
    const hit = this.results.get(rule);
    if (hit !== undefined) return hit;
    const created = new Map<Json, Evaluated | boolean | typeof OPEN>();
    this.results.set(rule, created);
    return created;
  }
}

/** The value is being checked against the schema right now. */
const OPEN = Symbol('open');
