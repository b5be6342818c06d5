import { describe, expect, test } from 'vitest';
import { parseToml } from '../../../src/source/toml-document.ts';
import type { SuiteType } from '../../../src/plugin/suite-type.ts';
import { loadPluginDocument } from '../../../src/suites/plugin/load-plugin-document.ts';

const says = { id: 'a', rule: { type: 'contains', value: 'x' } };
const hello = { name: 'hello', subject: { type: 'echo', data: {} }, trials: 2, invariants: [says] };
const circle: unknown[] = [];
circle.push(circle);

/** What a plug-in with this `load` makes of a file; user modules are not typed. */
function loadWith(load: () => unknown): ReturnType<typeof loadPluginDocument> {
  const parsed = parseToml({ name: 'toy.toml', path: '/toy.toml', text: 'description = "x"\ntoy = true\n' });
  if (!parsed.ok) throw new Error('The text of the test is no TOML.');
  const type = { kind: 'suite', type: 'toys', summary: 'A toy.', rootKeys: ['toy'], load, fold: () => null };
  return loadPluginDocument(type as unknown as SuiteType, parsed.document);
}

describe('the document of a plug-in', () => {
  test('becomes a scenario for each case', () => {
    const { rows, definitions } = loadWith(() => ({
      name: 'toy',
      description: undefined,
      cases: [hello, { ...hello, name: 'bye', trials: undefined }],
    }));
    expect(definitions).toEqual([{ kind: 'plugin', type: 'toys', name: 'toy', file: 'toy.toml', data: {} }]);
    const scenarios = rows.map((row) => (row.ok ? [row.scenario.name, row.scenario.trials] : row.issues));
    expect(scenarios).toEqual([
      ['toy: hello', 2],
      ['toy: bye', 1],
    ]);
  });

  test('is not changed by what the plug-in does to its plan later', () => {
    const cases = [{ ...hello, subject: { type: 'echo', data: { phrase: 'hello' } } }];
    const [row] = loadWith(() => ({ name: 'toy', cases })).rows;
    for (const { subject } of cases) subject.data.phrase = 'changed';
    expect(row?.ok === true && row.scenario.subject).toMatchObject({ data: { phrase: 'hello' } });
  });

  test.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('Out of toys.');
      },
      'Out of toys.',
    ],
    ['answers later', () => Promise.reject(new Error('late')), 'it returned a promise, and must answer at once'],
    ['returns nothing', () => undefined, 'it returned what is no plain data: it holds undefined'],
    ['returns a text', () => 'toy', '`load` returned neither a plan nor a list of problems'],
    ['returns no problem', () => [], '`load` returned neither cases nor a problem'],
    [
      'returns a malformed problem',
      () => [{ message: 'Bad.' }],
      'problem 1 of `load` is no { message, at, hint? } with `at` a list of keys',
    ],
    ['has no cases', () => ({ name: 'toy', cases: [] }), '`cases` must hold one case at least'],
    [
      'has a circle',
      () => ({ name: 'toy', data: { circle }, cases: [hello] }),
      'it returned what is no plain data: it is nested deeper than 1000 levels or contains itself',
    ],
    [
      'has names twice',
      () => ({ name: 'toy', cases: [hello, { ...hello, invariants: [says, says] }] }),
      'two invariants of `cases[1]` have the id "a"; two cases have the name "hello"',
    ],
    [
      'has malformed parts',
      () => ({
        name: '',
        data: 1,
        cases: [
          { ...hello, trials: 0 },
          { ...hello, name: 7, trials: 1.5, subject: { type: 'echo' } },
          { ...hello, name: 'bye', trials: 2 ** 32 + 1, invariants: [{ id: '', rule: { type: 'contain' } }, 1] },
          { name: 'none', subject: { type: 'echo', data: {} } },
          null,
        ],
      }),
      [
        '`name` must be a text that is not empty',
        '`data` must be an object',
        '`cases[0].trials` must be a whole number from 1 to 4294967296, got 0',
        '`cases[1].name` must be a text that is not empty',
        '`cases[1].subject` must be { type, data }, with `data` an object',
        '`cases[1].trials` must be a whole number from 1 to 4294967296, got 1.5',
        '`cases[2].trials` must be a whole number from 1 to 4294967296, got 4294967297',
        '`cases[2].invariants[0].id` must be a text that is not empty',
        '`cases[2].invariants[0].rule.type` is "contain", which is no invariant',
        '`cases[2].invariants[1]` must be { id, rule }',
        '`cases[3].invariants` must be a list',
        '`cases[4]` must be an object',
      ].join('; '),
    ],
  ])('does not load where the plug-in %s', (_, load, reason) => {
    const { rows, definitions, issues } = loadWith(load);
    expect(definitions).toEqual([]);
    expect(rows).toMatchObject([{ ok: false, file: 'toy.toml', issues }]);
    expect(issues).toMatchObject([
      {
        code: 'suite_problem',
        severity: 'error',
        message: `The suite "toys" cannot load this file: ${reason}`,
        at: { file: 'toy.toml', line: 1 },
      },
    ]);
  });
});
