import { checkJsonSchema } from '../../engine/json-schema.ts';
import { valueBytes } from '../../engine/value-bytes.ts';
import { MOST_STATE_BYTES } from '../../sessions/world/declared-world.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type {
  DeclaredTool,
  DeclaredWorld,
  WorldCondition,
  WorldPlace,
  WorldStep,
} from '../../types/sessions/declared-world.ts';
import { isJsonArray } from '../../values/is-json.ts';
import { listAt, tableAt, tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { STEP_WORDS } from './world-schema.ts';
import { tellMisspeltArguments } from './misspelt-arguments.ts';
import { readOneTest } from './read-one-test.ts';

/** The world of a table with the keys of one, which fits their schema. Tells what the schema cannot. */
export function readWorld(data: JsonObject, report: Report): DeclaredWorld {
  const taken = new Set<string>();
  const tools = tablesAt(data, 'tools').map(({ table, index }) => {
    const at = ['tools', index];
    const tool = readTool(table, at, report);
    if (taken.has(tool.name)) {
      report({ code: 'duplicate_name', message: `There is another tool "${tool.name}".`, at: [...at, 'name'] });
    }
    taken.add(tool.name);
    return tool;
  });
  const state = tableAt(data, 'state');
  if (valueBytes(state, MOST_STATE_BYTES) > MOST_STATE_BYTES) {
    report({
      code: 'too_large',
      message: `The state has more than ${MOST_STATE_BYTES} bytes.`,
      at: ['state'],
      hint: 'Keep what the tasks need.',
    });
  }
  return { state, tools };
}

function readTool(table: JsonObject, at: Pointer, report: Report): DeclaredTool {
  const parameters = { type: 'object', ...tableAt(table, 'parameters') };
  for (const problem of checkJsonSchema(parameters)) {
    report({
      code: 'bad_json_schema',
      message: `This JSON Schema is wrong: ${problem}.`,
      at: [...at, 'parameters'],
      hint: 'It must be enforceable as written.',
    });
  }
  const result = valueAt(table, 'result');
  tellMisspeltArguments(parameters, listAt(table, 'steps'), [...at, 'steps'], report);
  if (result !== undefined) tellMisspeltArguments(parameters, result, [...at, 'result'], report);
  return {
    name: textAt(table, 'name') ?? '',
    description: textAt(table, 'description') ?? '',
    parameters,
    steps: tablesAt(table, 'steps').flatMap(({ table: step, index }) => {
      const read = readStep(step, [...at, 'steps', index], report);
      return read === null ? [] : [read];
    }),
    ...(result !== undefined && { result }),
  };
}

/** Keys that a step may have beside its word and `when`. */
const BESIDE: Readonly<Record<(typeof STEP_WORDS)[number], readonly string[]>> = {
  fail: [],
  get: ['as'],
  list: ['as', 'where'],
  count: ['as'],
  set: ['value'],
  append: ['value'],
  remove: [],
  compute: ['value', 'times', 'plus', 'minus'],
};

function readStep(step: JsonObject, at: Pointer, report: Report): WorldStep | null {
  const words = STEP_WORDS.filter((word) => Object.hasOwn(step, word));
  const [word] = words;
  if (word === undefined || words.length > 1) {
    report({
      code: 'bad_step',
      message: word === undefined ? 'This step does nothing.' : `This step does several things: ${words.join(', ')}.`,
      at,
      hint: `Give each step one of ${STEP_WORDS.join(', ')}.`,
    });
    return null;
  }
  for (const key of Object.keys(step)) {
    if (key === word || key === 'when' || BESIDE[word].includes(key)) continue;
    report({ code: 'unused_key', message: `"${key}" means nothing to a step that has "${word}".`, at: [...at, key] });
  }
  const needsValue = BESIDE[word].includes('value') && !Object.hasOwn(step, 'value');
  if (needsValue || (word === 'count' && !Object.hasOwn(step, 'as'))) {
    const key = needsValue ? 'value' : 'as';
    report({ code: 'missing_key', message: `A step with "${word}" needs the key "${key}".`, at });
    return null;
  }
  if (textAt(step, 'as') === 'args' || textAt(step, 'compute') === 'args') {
    report({ code: 'bad_name', message: '"args" names the arguments of the call.', at, hint: 'Choose another name.' });
  }
  const when = tablesAt(step, 'when').flatMap(({ table, index }) =>
    readCondition(table, [...at, 'when', index], report),
  );
  return { ...doingOf(step, word), when };
}

function doingOf(step: JsonObject, word: (typeof STEP_WORDS)[number]) {
  const at = placeAt(step, word);
  const as = textAt(step, 'as') ?? null;
  const value = (key: string, absent: Json): Json => valueAt(step, key) ?? absent;
  switch (word) {
    case 'fail':
      return { kind: word, message: textAt(step, word) ?? '' } as const;
    case 'get':
      return { kind: word, at, as } as const;
    case 'list':
      return { kind: word, at, as, where: tableAt(step, 'where') } as const;
    case 'count':
      return { kind: word, at, as: as ?? '' } as const;
    case 'set':
    case 'append':
      return { kind: word, at, value: value('value', null) } as const;
    case 'remove':
      return { kind: word, at } as const;
    case 'compute':
      return {
        kind: word,
        as: textAt(step, word) ?? '',
        value: value('value', null),
        times: value('times', 1),
        plus: value('plus', 0),
        minus: value('minus', 0),
      } as const;
  }
}

function readCondition(table: JsonObject, at: Pointer, report: Report): readonly WorldCondition[] {
  const hasPlace = Object.hasOwn(table, 'at');
  if (hasPlace === Object.hasOwn(table, 'value')) {
    report({ code: 'bad_test', message: 'A test needs one of "at" and "value".', at });
    return [];
  }
  const test = readOneTest(table, at, report);
  if (test === null) return [];
  const of = hasPlace
    ? ({ kind: 'place', at: placeAt(table, 'at') } as const)
    : ({ kind: 'value', value: valueAt(table, 'value') ?? null } as const);
  return [{ of, test }];
}

function placeAt(table: JsonObject, key: string): WorldPlace {
  const value = valueAt(table, key);
  if (!isJsonArray(value)) return [];
  return listAt(table, key).filter((step) => typeof step === 'string' || typeof step === 'number');
}
