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

  test.each<[string, () => unknown, readonly string[]]>([
    [
      'throws',
      () => {
        throw new Error('Out of toys.');
      },
      ['Out of toys.'],
    ],
    ['answers later', () => Promise.reject(new Error('late')), ['It returned a promise, and must answer at once.']],
    ['returns nothing', () => undefined, ['What it returned is no plain data: it holds undefined.']],
    ['returns a text', () => 'toy', ['What it returned must be an object, not the string "toy".']],
    ['returns no problem', () => [], ['What it returned must not be empty.']],
    ['returns a malformed problem', () => [{ message: 'Bad.' }], ['"[0]" needs the key "at".']],
    ['has no cases', () => ({ name: 'toy', cases: [] }), ['"cases" must not be empty.']],
    [
      'has a circle',
      () => ({ name: 'toy', data: { circle }, cases: [hello] }),
      ['What it returned is no plain data: it is nested deeper than 1000 levels or contains itself.'],
    ],
    [
      'has names twice',
      () => ({ name: 'toy', cases: [hello, { ...hello, invariants: [says, says] }] }),
      ['Two cases have the name "hello".', 'Two invariants of "hello" have the id "a".'],
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
          'none',
        ],
      }),
      [
        '"name" must not be empty.',
        '"data" must be an object, not the integer 1.',
        '"cases[0].trials" must be at least 1 and at most 4294967296, not 0.',
        '"cases[1].name" must be a string, not the integer 7.',
        '"cases[1].subject" needs the key "data".',
        '"cases[1].trials" must be an integer, not the number 1.5.',
        '"cases[2].trials" must be at least 1 and at most 4294967296, not 4294967297.',
        '"cases[2].invariants[0].id" must not be empty.',
        '"cases[2].invariants[0].rule.type" cannot be "contain". Did you mean "contains"?',
        '"cases[2].invariants[1]" must be an object, not the integer 1.',
        '"cases[3]" needs the key "invariants".',
        '"cases[4]" must be an object, not the string "none".',
      ],
    ],
  ])('does not load where the plug-in %s', (_, load, reasons) => {
    const { rows, definitions, issues } = loadWith(load);
    expect(definitions).toEqual([]);
    expect(rows).toMatchObject([{ ok: false, file: 'toy.toml', issues }]);
    expect(issues.map(({ message }) => message)).toEqual(
      reasons.map((reason) => `The suite "toys" cannot load this file: ${reason}`),
    );
    for (const issue of issues) {
      expect(issue).toMatchObject({ code: 'suite_problem', severity: 'error', at: { file: 'toy.toml', line: 1 } });
    }
  });
});
