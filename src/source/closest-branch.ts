import type { Json, JsonObject } from '../types/json.ts';
import { didYouMean } from './did-you-mean.ts';
import { type Definitions, definitionsOf, isTable, type JsonSchema, resolveRef } from './json-schema.ts';
import { explainAllowed, type Mismatch, mismatch, wrongType } from './mismatch.ts';
import type { Pointer } from './toml-positions.ts';
import { asPlainWord, expectedWords, hasType, shortValue, typesOf } from './toml-words.ts';

/** Keys that say which branch is meant, in the order in which they are looked at. */
const DISCRIMINATORS = ['type', 'source', 'kind'];

/** What the branch that the author most likely meant says; nothing when one of them accepts the value. */
export function closestBranch(
  branches: readonly JsonSchema[],
  value: Json,
  pointer: Pointer,
  explain: (branch: JsonSchema) => readonly Mismatch[],
  around: Definitions,
): readonly Mismatch[] {
  const views = branches.map((branch) => resolveRef(branch, definitionsOf(branch, around)));
  const words = views.flatMap((view) => allowedValues(view) ?? []);
  if (views.every((view) => allowedValues(view) !== null)) return explainAllowed(words, value, pointer);
  const fitting = views.filter((view) => mayFit(view, value));
  if (fitting.length === 0) return [wrongTypeOf(views, value, pointer)];
  if (fitting.every((view) => allowedValues(view) !== null)) return explainWords(words, views, value, pointer);
  const chosen: Choice = isTable(value)
    ? byDiscriminator(fitting, value, pointer)
    : { kind: 'branches', branches: fitting };
  if (chosen.kind === 'mismatch') return chosen.found;
  // As written, not as resolved: a branch may bring definitions of its own.
  return fewest(branches.filter((_, index) => chosen.branches.includes(views[index] ?? {})).map(explain));
}

/** For `"auto"` or a number: the words are listed, then the other types. */
function explainWords(
  words: readonly Json[],
  branches: readonly JsonSchema[],
  value: Json,
  pointer: Pointer,
): readonly Mismatch[] {
  if (explainAllowed(words, value, pointer).length === 0) return [];
  const types = branches.flatMap((branch) => (allowedValues(branch) === null ? (typesOf(branch) ?? []) : []));
  const meant = typeof value === 'string' ? didYouMean(value, words.filter(isText)) : null;
  const rest = `Use ${words.map(asPlainWord).join(', ')} or ${expectedWords(types)}.`;
  const hint = meant === null ? rest : `Did you mean "${meant}"?`;
  return [mismatch('not_allowed', pointer, `cannot be ${shortValue(value)}.`, hint)];
}

function isText(value: Json): value is string {
  return typeof value === 'string';
}

type Choice =
  | { readonly kind: 'branches'; readonly branches: readonly JsonSchema[] }
  | { readonly kind: 'mismatch'; readonly found: readonly Mismatch[] };

function byDiscriminator(branches: readonly JsonSchema[], value: JsonObject, pointer: Pointer): Choice {
  if (branches.length < 2) return { kind: 'branches', branches };
  let missing: Mismatch | undefined;
  for (const key of new Set([...DISCRIMINATORS, ...Object.keys(branches[0]?.properties ?? {})])) {
    const words = branches.map((branch) => allowedValues(branch.properties?.[key] ?? {}));
    if (words.some((list) => list === null)) continue;
    const all = words.flatMap((list) => list ?? []);
    if (!Object.hasOwn(value, key)) {
      if (!branches.every((branch) => branch.required?.includes(key))) continue;
      const hint = `Allowed values: ${all.map(asPlainWord).join(', ')}.`;
      missing ??= mismatch('missing_key', pointer, `needs the key "${key}".`, hint);
      continue;
    }
    const word = value[key] ?? null;
    const chosen = branches.filter((_, index) => words[index]?.includes(word));
    if (chosen.length > 0) return { kind: 'branches', branches: chosen };
    return { kind: 'mismatch', found: explainAllowed(all, word, [...pointer, key]) };
  }
  return missing === undefined ? { kind: 'branches', branches } : { kind: 'mismatch', found: [missing] };
}

/** The shortest list; the first of equals. */
function fewest(lists: readonly (readonly Mismatch[])[]): readonly Mismatch[] {
  let best = lists[0] ?? [];
  for (const list of lists) if (list.length < best.length) best = list;
  return best;
}

function mayFit(branch: JsonSchema, value: Json): boolean {
  const allowed = allowedValues(branch);
  if (allowed !== null) return allowed.some((candidate) => typeof candidate === typeof value);
  return hasType(value, typesOf(branch));
}

function wrongTypeOf(branches: readonly JsonSchema[], value: Json, pointer: Pointer): Mismatch {
  const types = branches.flatMap(
    (branch) => typesOf(branch) ?? (allowedValues(branch) ?? []).map((word) => typeof word),
  );
  return wrongType({ type: types }, value, pointer);
}

function allowedValues(schema: JsonSchema): readonly Json[] | null {
  if (schema.const !== undefined) return [schema.const];
  return schema.enum ?? null;
}
