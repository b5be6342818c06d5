import type { Pointer } from '../../source/place-tree.ts';
import type { JsonObject } from '../../types/json.ts';
import type { CommandCheck } from '../../types/sessions/session-check.ts';
import { listAt, numberAt, tablesAt, textAt, textsAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

/** The checks of a task that are programs. Tells commands without a program, and names that are taken by these or `others`. */
export function readCommandChecks(
  expected: JsonObject,
  { at, others, report }: { readonly at: Pointer; readonly others: readonly string[]; readonly report: Report },
): readonly CommandCheck[] {
  const taken = new Set(others);
  return tablesAt(expected, 'commands').flatMap(({ table, index }): readonly CommandCheck[] => {
    const place = [...at, 'commands', index];
    const command = textsAt(table, 'command');
    if ((command[0] ?? '') === '') {
      report({
        code: 'missing_key',
        message: 'The check needs a program: "command" names it and its arguments.',
        at: [...place, 'command'],
        hint: 'Write it so: command = ["python3", "check.py"].',
      });
      return [];
    }
    const name = textAt(table, 'name') ?? command.join(' ');
    if (taken.has(name)) {
      report({ code: 'duplicate_name', message: `The task has another check "${name}".`, at: place });
    }
    taken.add(name);
    const codes = listAt(table, 'fails_with').filter((code) => typeof code === 'number');
    const timeoutMs = numberAt(table, 'timeout_ms') ?? DEFAULT_TIMEOUT_MS;
    return [{ name, command, timeoutMs, failsWith: codes.length === 0 ? null : codes }];
  });
}
