import type { Json, JsonObject } from '../../types/json.ts';

type Branch = Map<string, Branch | Json>;

/** A name with more steps than this is not unfolded. */
const MOST_STEPS = 32;

/**
 * Unfolds attributes whose names spell a path below the prefix: `p.0.message.role` is the role of the message of the first
 * element of `p`. Undefined: no attribute has the prefix.
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
