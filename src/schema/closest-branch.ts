import type { Json, JsonObject } from '../types/json.ts';
import { isJsonObject } from '../values/is-json.ts';
import type { Explaining, Rule } from './rule.ts';
import { hasType } from './value-keywords.ts';
import { type BrokenKeyword, under, type Violation, violation } from './violation.ts';

/** Keys that say which branch is meant, in the order in which they are looked at. */
const DISCRIMINATORS = ['type', 'source', 'kind'];

/** What the branch that was most likely meant says of a value that fits none. */
export function closestBranch(branches: readonly Rule[], value: Json, explanation: Explaining): readonly Violation[] {
  const allowed = branches.flatMap(({ outline }) => outline.allowed ?? []);
  if (branches.every(({ outline }) => outline.allowed !== null)) return [violation(value, anEnum(allowed))];
  const possible = branches.filter((branch) => mayFit(branch, value));
  if (possible.length === 0) return [violation(value, { keyword: 'type', types: branches.flatMap(typesOf) })];
  if (possible.every(({ outline }) => outline.allowed !== null)) {
    const types = branches.flatMap((branch) => (branch.outline.allowed === null ? typesOf(branch) : []));
    return [violation(value, anEnum(allowed, types))];
  }
  const choice = isJsonObject(value) ? byDiscriminator(possible, value, explanation) : { branches: possible };
  if ('violations' in choice) return choice.violations;
  const closest = fewest(choice.branches.map((branch) => explanation.violations(branch, value)));
  return closest.length > 0 ? closest : [violation(value, { keyword: 'anyOf' })];
}

type Choice = { readonly branches: readonly Rule[] } | { readonly violations: readonly Violation[] };

function byDiscriminator(branches: readonly Rule[], value: JsonObject, { check }: Explaining): Choice {
  if (branches.length < 2) return { branches };
  let missing: Violation | undefined;
  for (const key of new Set([...DISCRIMINATORS, ...(branches[0]?.outline.properties.keys() ?? [])])) {
    check.count(branches.length);
    const words = branches.map(({ outline }) => outline.properties.get(key)?.outline.allowed ?? null);
    if (words.some((list) => list === null)) continue;
    const allowed = words.flatMap((list) => list ?? []);
    if (!Object.hasOwn(value, key)) {
      if (!branches.every(({ outline }) => outline.required.includes(key))) continue;
      missing ??= violation(value, { keyword: 'required', key, allowed });
      continue;
    }
    const word = value[key] ?? null;
    const named = branches.filter((_, index) => words[index]?.includes(word));
    if (named.length > 0) return { branches: named };
    return { violations: under(key, [violation(word, anEnum(allowed))]) };
  }
  return missing === undefined ? { branches } : { violations: [missing] };
}

/** The shortest list; the first of equals. */
function fewest(lists: readonly (readonly Violation[])[]): readonly Violation[] {
  return lists.reduce((best, list) => (list.length < best.length ? list : best));
}

function anEnum(allowed: readonly Json[], types: readonly string[] = []): BrokenKeyword {
  return { keyword: 'enum', allowed, types };
}

function mayFit({ outline: { allowed, types } }: Rule, value: Json): boolean {
  if (allowed !== null) return allowed.some((candidate) => typeof candidate === typeof value);
  return types === null || types.some((type) => hasType(value, type, true));
}

function typesOf({ outline: { types, allowed } }: Rule): readonly string[] {
  return types ?? (allowed ?? []).map((word) => (word === null ? 'null' : Array.isArray(word) ? 'array' : typeof word));
}
