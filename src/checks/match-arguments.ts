import type { ArgumentMatch } from '../types/recordings/gold-expectation.ts';
import type { Json } from '../types/json.ts';
import { deepEqual } from '../values/deep-equal.ts';
import { isJsonObject } from '../values/is-json.ts';

/**
 * Whether the arguments of a call are those of a gold one. `exact`: all are the same. `ignore`: whatever they are. `subset`:
 * each is one of the gold ones. `superset`: each gold one is there. A list of fields: these are the same, or in neither. Numbers
 * are the same where their values are: 1 and 1.0. Source: release-gate M-10; modes and lists are those of agentevals.
 */
export function matchesArguments(args: Json, gold: Json, how: ArgumentMatch): boolean {
  switch (how) {
    case 'exact':
      return deepEqual(args, gold);
    case 'ignore':
      return true;
    case 'subset':
      return holds(gold, args);
    case 'superset':
      return holds(args, gold);
    default:
      return how.every((field) => {
        const [own, wanted] = [fieldAt(args, field), fieldAt(gold, field)];
        return own === undefined || wanted === undefined ? own === wanted : deepEqual(own, wanted);
      });
  }
}

/** Whether every argument of the part is one of the whole, with the same value. */
function holds(whole: Json, part: Json): boolean {
  if (!isJsonObject(whole) || !isJsonObject(part)) return deepEqual(whole, part);
  return Object.entries(part).every(
    ([name, value]) => Object.hasOwn(whole, name) && deepEqual(whole[name] ?? null, value),
  );
}

function fieldAt(args: Json, field: string): Json | undefined {
  let at: Json | undefined = args;
  for (const name of field.split('.')) {
    if (at === undefined || !isJsonObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}
