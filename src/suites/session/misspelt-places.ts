import type { Pointer } from '../../source/place-tree.ts';
import { didYouMean, hintFor } from '../../text/did-you-mean.ts';
import type { Json } from '../../types/json.ts';
import type { DeclaredWorld, WorldModuleFile } from '../../types/sessions/declared-world.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { arrayIndex, splitPath } from '../../values/select-path.ts';
import type { Report } from '../../workflow/report.ts';

export interface PlaceParts {
  /** Null: what it holds is not known. */
  readonly world: DeclaredWorld | null;
  /** What tasks put there before anything is done, where the world is not yet that of a task. */
  readonly changes?: WorldModuleFile['changes'];
  /** Of the test. */
  readonly at: Pointer;
  readonly report: Report;
}

/**
 * Tells a place of the state at which nothing can ever stand: neither the state at the beginning has it nor a step of a tool
 * puts anything there. A test that something is absent or different passes there, whatever the agent does.
 */
export function tellMisspeltPlace(place: string, { world, changes = [], at, report }: PlaceParts): void {
  // Recorded tools were answered elsewhere, by a state that nobody has.
  if (world === null || world.recorded !== undefined) return;
  const segments = splitPath(place);
  let parts = partsOf(world, changes);
  for (const [index, segment] of segments.entries()) {
    const next = parts.flatMap((part) => within(part, segment));
    if (next.length > 0) {
      parts = next;
      continue;
    }
    const names = [...new Set(parts.flatMap(namesIn))];
    const meant = didYouMean(segment, names);
    report({
      code: 'unknown_place',
      severity: 'warning',
      message: `Nothing ever stands at "${place}": the state has no such place, and no tool makes it.`,
      at: [...at, 'at'],
      hint: meant === null ? hintFor(segment, names) : `Did you mean "${segments.with(index, meant).join('.')}"?`,
    });
    return;
  }
}

/** A value that may stand behind some keys. */
interface Part {
  /** Keys that still lead to the value. A key may hold markers; null is an entry of a list, at whatever position. */
  readonly keys: readonly (string | null)[];
  readonly value: Json;
  /** True: texts in the value may be markers. */
  readonly isFilled: boolean;
}

function partsOf({ state, tools }: DeclaredWorld, changes: WorldModuleFile['changes']): readonly Part[] {
  const begun = changes.map(({ at, value }): Part => ({ keys: splitPath(at), value, isFilled: false }));
  const made = tools.flatMap(({ steps }) =>
    steps.flatMap((step): readonly Part[] => {
      if (step.kind !== 'set' && step.kind !== 'append') return [];
      const keys = step.at.map(String);
      return [{ keys: step.kind === 'set' ? keys : [...keys, null], value: step.value, isFilled: true }];
    }),
  );
  return [{ keys: [], value: state, isFilled: false }, ...begun, ...made];
}

/** What may stand one key further on. */
function within(part: Part, segment: string): readonly Part[] {
  const { keys, value, isFilled } = part;
  const [key] = keys;
  if (key !== undefined) return fits(key, segment) ? [{ ...part, keys: keys.slice(1) }] : [];
  // Anything may be behind a marker.
  if (isFilled && hasMarker(value)) return [part];
  // Entries move where one before them is removed.
  if (isJsonArray(value)) return arrayIndex(segment) < 0 ? [] : value.map((entry) => ({ ...part, value: entry }));
  const next = isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  return next === undefined ? [] : [{ ...part, value: next }];
}

function fits(key: string | null, segment: string): boolean {
  const isPosition = arrayIndex(segment) >= 0;
  if (key === null) return isPosition;
  return key === segment || hasMarker(key) || (isPosition && arrayIndex(key) >= 0);
}

function hasMarker(value: Json): boolean {
  return typeof value === 'string' && value.includes('{{');
}

function namesIn({ keys: [key], value }: Part): readonly string[] {
  if (key !== undefined) return key === null || hasMarker(key) ? [] : [key];
  return isJsonObject(value) ? Object.keys(value) : [];
}
