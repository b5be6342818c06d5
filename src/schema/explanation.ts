import type { Json } from '../types/json.ts';
import type { Checking, Evaluated, Explaining, Rule } from './rule.ts';
import type { Violation } from './violation.ts';

/**
 * What is wrong with one value, in the order of the keywords. What a schema that is referred to says of a value is
 * remembered, so that alternatives that refer to themselves are explained in time linear in the value.
 */
export class Explanation implements Explaining {
  readonly check: Checking;
  readonly most: number;
  private readonly explained = new Map<Rule, Map<Json, readonly Violation[]>>();

  constructor(check: Checking, most: number) {
    this.check = check;
    this.most = most;
  }

  /** What a value violates of a schema: the first `most` of it; [] when it fits. */
  violations(rule: Rule, value: Json): readonly Violation[] {
    if (!rule.isShared) return this.explain(rule, value);
    const byValue = this.explained.get(rule) ?? new Map<Json, readonly Violation[]>();
    this.explained.set(rule, byValue);
    const before = byValue.get(value);
    if (before !== undefined) return before;
    // A schema that leads back to itself says nothing of its own there.
    byValue.set(value, []);
    const violations = this.explain(rule, value);
    byValue.set(value, violations);
    return violations;
  }

  /** What is wrong with several things, one after the other, until there is enough. */
  each<T>(things: Iterable<T>, explain: (thing: T) => readonly Violation[]): readonly Violation[] {
    // Two schemas may refer to a third, which says the same each time.
    const found = new Set<Violation>();
    for (const thing of things) {
      if (found.size >= this.most) break;
      for (const violation of explain(thing)) found.add(violation);
    }
    return [...found].slice(0, this.most);
  }

  private explain({ keywords, tracks, outline }: Rule, value: Json): readonly Violation[] {
    const evaluated: Evaluated | null = tracks ? { keys: new Set(), items: new Set() } : null;
    let isBroken = false;
    let isDone = false;
    return this.each(keywords, (keyword) => {
      if (isDone || (keyword.explains === 'last' && isBroken) || keyword.holds(value, this.check, evaluated)) return [];
      isBroken = true;
      isDone = keyword.explains === 'alone';
      return keyword.explain(value, this, evaluated).map((violation) => described(violation, outline.description));
    });
  }
}

/** The nearest description of a value is the one that is shown. */
function described(violation: Violation, description: string | undefined): Violation {
  const { path, broken } = violation;
  // What the description of an object says is no help with a key of it.
  const isOfValue = path.length === 0 && broken.keyword !== 'required';
  if (description === undefined || violation.description !== undefined || !isOfValue) return violation;
  return { ...violation, description };
}
