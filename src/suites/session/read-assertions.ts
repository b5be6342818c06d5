import type { Pointer } from '../../source/place-tree.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { JsonObject } from '../../types/json.ts';
import type { AssertionTest, SessionAssertion } from '../../types/sessions/assertion.ts';
import type { StateValue } from '../../types/value-test.ts';
import { numberAt, tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import type { GoalParts } from './read-goals.ts';
import { tellMisspeltPlace } from './misspelt-places.ts';
import { readOneTest } from './read-one-test.ts';
import { readTextTest } from './read-text-test.ts';

const KINDS = ['assert', 'suggest'] as const;
/** Words that say what is tested; each assertion has one of them. */
const WORDS = ['says', 'not_says', 'at', 'tool'] as const;
const DEFAULT_RETRIES = 1;

/** What the agent of a task must do as it goes. */
export function readAssertions(task: JsonObject, parts: GoalParts): readonly SessionAssertion[] {
  const { report } = parts;
  const taken = new Set<string>();
  return KINDS.flatMap((kind) =>
    tablesAt(task, kind).flatMap(({ table, index }): readonly SessionAssertion[] => {
      const at = [...parts.at, kind, index];
      const name = textAt(table, 'name') ?? '';
      if (taken.has(name)) {
        report({ code: 'duplicate_name', message: `The task has another assertion "${name}".`, at: [...at, 'name'] });
      }
      taken.add(name);
      const test = readTest(table, { ...parts, at });
      const retries = numberAt(table, 'retries') ?? DEFAULT_RETRIES;
      return test === null ? [] : [{ name, kind, test, retries, feedback: textAt(table, 'feedback') ?? name }];
    }),
  );
}

function readTest(table: JsonObject, parts: GoalParts): AssertionTest | null {
  const { at, report } = parts;
  const words = WORDS.filter((word) => Object.hasOwn(table, word));
  const [word] = words;
  if (word === undefined || words.length > 1) {
    report({
      code: 'bad_assertion',
      message: word === undefined ? 'This asserts nothing.' : `This asserts several things: ${words.join(', ')}.`,
      at,
      hint: `Give each assertion one of ${WORDS.join(', ')}.`,
    });
    return null;
  }
  switch (word) {
    case 'says':
    case 'not_says':
      return { kind: word, text: readTextTest(valueAt(table, word) ?? '', [...at, word], report) };
    case 'at': {
      const test = readOneTest(table, at, report);
      const place = textAt(table, 'at') ?? '';
      tellMisspeltPlace(place, parts);
      return test === null ? null : { kind: 'state', at: place, test };
    }
    case 'tool':
      return readCall(table, parts);
  }
}

function readCall(table: JsonObject, { at, world, report }: GoalParts): AssertionTest | null {
  const tool = textAt(table, 'tool') ?? '';
  const names = world?.tools.map(({ name }) => name) ?? [tool];
  if (!names.includes(tool)) {
    const message = `The world has no tool "${tool}".`;
    report({ code: 'unknown_tool', message, at: [...at, 'tool'], hint: hintFor(tool, names, 'tools') });
  }
  const where = tablesAt(table, 'where').flatMap(({ table: one, index }) =>
    readWhere(one, [...at, 'where', index], report),
  );
  if (valueAt(table, 'where') === undefined) {
    const message = 'This asserts nothing of the calls.';
    report({ code: 'bad_assertion', message, at, hint: 'Say in `where` what their arguments must be.' });
    return null;
  }
  return { kind: 'call', tool, where };
}

function readWhere(table: JsonObject, at: Pointer, report: Report): readonly StateValue[] {
  const test = readOneTest(table, at, report);
  return test === null ? [] : [{ at: textAt(table, 'at') ?? '', test }];
}
