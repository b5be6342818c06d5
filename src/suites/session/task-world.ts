import { withValue, WorldError } from '../../sessions/world/state-place.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { DeclaredWorld, WorldModuleFile } from '../../types/sessions/declared-world.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { splitPath } from '../../values/select-path.ts';
import { tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';

/** What a task has different from the state of its file. */
export function changesOf(task: JsonObject): WorldModuleFile['changes'] {
  return tablesAt(task, 'state').map(({ table }) => ({
    at: textAt(table, 'at') ?? '',
    value: valueAt(table, 'value') ?? null,
  }));
}

/** The world as a task finds it: that of its file, with what the task has different. */
export function taskWorld(
  task: JsonObject,
  { world, at, report }: { readonly world: DeclaredWorld; readonly at: Pointer; readonly report: Report },
): DeclaredWorld {
  let state: Json = world.state;
  for (const [index, change] of changesOf(task).entries()) {
    try {
      state = withValue(state, splitPath(change.at), change.value);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      report({ code: 'bad_place', message: error.message, at: [...at, 'state', index, 'at'] });
    }
  }
  if (isJsonObject(state)) return state === world.state ? world : { ...world, state };
  report({ code: 'bad_place', message: 'The state must stay a table.', at: [...at, 'state'] });
  return world;
}
