import { withValue, WorldError } from '../../sessions/world/state-place.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { DeclaredWorld } from '../../types/session.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { splitPath } from '../../values/select-path.ts';
import { tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';

/** The world as a task finds it: that of its file, with what the task has different. */
export function taskWorld(
  task: JsonObject,
  { world, at, report }: { readonly world: DeclaredWorld; readonly at: Pointer; readonly report: Report },
): DeclaredWorld {
  let state: Json = world.state;
  for (const { table, index } of tablesAt(task, 'state')) {
    const path = textAt(table, 'at') ?? '';
    try {
      state = withValue(state, splitPath(path), valueAt(table, 'value') ?? null);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      report({ code: 'bad_place', message: error.message, at: [...at, 'state', index, 'at'] });
    }
  }
  if (isJsonObject(state)) return state === world.state ? world : { ...world, state };
  report({ code: 'bad_place', message: 'The state must stay a table.', at: [...at, 'state'] });
  return world;
}
