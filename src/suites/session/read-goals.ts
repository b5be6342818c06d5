import type { StateValue } from '../../types/value-test.ts';
import { compileJsonSchema } from '../../engine/compile-json-schema.ts';
import { compileGoals } from '../../sessions/watch-goals.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { JsonObject } from '../../types/json.ts';
import type { GoalTest, SessionGoal } from '../../types/session.ts';
import type { DeclaredWorld } from '../../types/sessions/declared-world.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { tellMisspeltPlace } from './misspelt-places.ts';
import { readOneTest } from './read-one-test.ts';
import { readTextTest } from './read-text-test.ts';

export interface GoalParts {
  /** Of the task. */
  readonly at: Pointer;
  /** Null: it has errors. */
  readonly world: DeclaredWorld | null;
  readonly report: Report;
}

/** Words that say what reaches a sub-goal; each has one of them. */
const WORDS = ['tool', 'at', 'says'] as const;

/** The sub-goals of a task. */
export function readGoals(task: JsonObject, { at, world, report }: GoalParts): readonly SessionGoal[] {
  const taken = new Set<string>();
  return tablesAt(task, 'goals').flatMap(({ table, index }): readonly SessionGoal[] => {
    const place = [...at, 'goals', index];
    const name = textAt(table, 'name') ?? '';
    if (taken.has(name)) {
      report({ code: 'duplicate_name', message: `The task has another goal "${name}".`, at: [...place, 'name'] });
    }
    taken.add(name);
    const test = readGoalTest(table, { at: place, world, report });
    if (test === null) return [];
    const goal = { name, test };
    if (world !== null) tellReached(goal, { at: place, world, report });
    return [goal];
  });
}

function readGoalTest(table: JsonObject, parts: GoalParts): GoalTest | null {
  const { at, report } = parts;
  const words = WORDS.filter((word) => Object.hasOwn(table, word));
  const [word] = words;
  if (word === undefined || words.length > 1) {
    report({
      code: 'bad_goal',
      message: word === undefined ? 'Nothing reaches this goal.' : `This is several goals: ${words.join(', ')}.`,
      at,
      hint: `Give each goal one of ${WORDS.join(', ')}.`,
    });
    return null;
  }
  switch (word) {
    case 'says':
      return { kind: 'says', text: readTextTest(valueAt(table, 'says') ?? '', [...at, 'says'], report) };
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

function readCall(table: JsonObject, { at, world, report }: GoalParts): GoalTest {
  const tool = textAt(table, 'tool') ?? '';
  const names = world?.tools.map(({ name }) => name) ?? [tool];
  if (!names.includes(tool)) {
    report({
      code: 'unknown_tool',
      message: `The world has no tool "${tool}".`,
      at: [...at, 'tool'],
      hint: hintFor(tool, names, 'tools'),
    });
  }
  const where = tablesAt(table, 'where').flatMap(({ table: one, index }): readonly StateValue[] => {
    const test = readOneTest(one, [...at, 'where', index], report);
    return test === null ? [] : [{ at: textAt(one, 'at') ?? '', test }];
  });
  return { kind: 'call', tool, args: tableAt(table, 'args'), where };
}

/** A goal that is reached before anything is done tells nothing of how far a session got. */
function tellReached(goal: SessionGoal, { at, world, report }: GoalParts): void {
  if (goal.test.kind !== 'state' || world === null) return;
  const { most } = compileGoals([goal], compileJsonSchema)(world.state).reached;
  if (most === 0) return;
  report({
    code: 'reached_goal',
    severity: 'warning',
    message: `The goal "${goal.name}" is reached before anything is done.`,
    at,
    hint: 'Test something that the agent has to bring about.',
  });
}
