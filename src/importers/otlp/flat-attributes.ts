import type { Json, JsonObject } from '../../types/json.ts';

type Branch = Map<string, Branch | Json>;

/** Steps of a name beyond which it is left as it is. */
const MOST_STEPS = 32;

/**
 * Attributes whose names begin with the prefix and a dot, as the lists and objects that their names spell:
 * `p.0.message.role` is the role of the message of the first element of `p`. Undefined: there are none.
 */
export function nestedAt(attributes: JsonObject, prefix: string): Json | undefined {
  const start = `${prefix}.`;
  const names = Object.keys(attributes).filter((name) => name.startsWith(start));
  if (names.length === 0) return undefined;
  const root: Branch = new Map();
  for (const name of names) {
    const value = attributes[name] ?? null;
    const steps = name.slice(prefix.length + 1).split('.');
    if (steps.length > MOST_STEPS) continue;
    let branch = root;
    for (const step of steps.slice(0, -1)) {
      const next = branch.get(step);
      if (next instanceof Map) branch = next;
      else {
        const fresh: Branch = new Map();
        branch.set(step, fresh);
        branch = fresh;
      }
    }
    const last = steps.at(-1) ?? '';
    if (!branch.has(last)) branch.set(last, value);
  }
  return root.size === 0 ? undefined : plainValue(root);
}

function plainValue(branch: Branch | Json): Json {
  if (!(branch instanceof Map)) return branch;
  const fields = [...branch].map(([step, value]) => [step, plainValue(value)] as const);
  if (!fields.every(([step]) => /^\d{1,9}$/.test(step))) return Object.fromEntries(fields);
  return fields.sort(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value);
}
