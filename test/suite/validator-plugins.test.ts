import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listPlugins } from '../../src/index.ts';
import { validatorTypes } from '../../src/checks/validators/builtin.ts';
import { runModels, specsIn } from '../suites/model/a-spec.ts';
import { inFolder } from './contract-runs.ts';

const SPEC = `
- model: echo/good
  tests:
    - name: is kind
      input: { messages: [{ role: user, content: [{ text: hi }] }] }
      validators: [is-kind]`;

/** A module that exports a validator with these fields in place of those of a whole one. */
function aModule(fields: string): string {
  return `export const mine = { kind: 'validator', type: 'is-kind', summary: 'Is kind.', argument: { is: 'none', what: '' }, validate: () => null, ${fields} };`;
}

function listed(fields: string): Promise<unknown> {
  return inFolder({ 'mine.mjs': aModule(fields) }, async (cwd) => {
    const plugins = await listPlugins({ cwd, plugins: ['./mine.mjs'] });
    return plugins.filter(({ kind }) => kind === 'validator');
  });
}

test("validators are listed, passk's own first", async () => {
  expect(await listed('')).toEqual([
    ...validatorTypes.map(({ kind, type, summary }) => ({ kind, type, summary, origin: 'passk' })),
    { kind: 'validator', type: 'is-kind', summary: 'Is kind.', origin: 'user' },
  ]);
});

test.each([
  ["type: 'valid-json'", 'There is already a validator "valid-json".'],
  ["type: 'is_kind'", 'Plug-in mine.mjs: `type` must be lower-case words joined by "-", got "is_kind".'],
  ["type: 'is:kind'", 'Plug-in mine.mjs: `type` must be lower-case words joined by "-", got "is:kind".'],
  ['validate: 1', 'Plug-in mine.mjs: "is-kind" has no function `validate`.'],
  [
    "argument: { is: 'never', what: '' }",
    'Plug-in mine.mjs: "is-kind" has no `argument` with `is` ("none", "optional" or "required") and `what`.',
  ],
  [
    'argument: undefined',
    'Plug-in mine.mjs: "is-kind" has no `argument` with `is` ("none", "optional" or "required") and `what`.',
  ],
])('a validator with %s is refused: %s', async (fields, message) => {
  await expect(listed(fields)).rejects.toMatchObject({ code: 'PLUGIN', message });
});

test.each([
  ["() => { throw new Error('no rule'); }", /The validator "is-kind" failed at mine\.mjs:1:\d+: no rule$/],
  ['() => undefined', /The validator "is-kind" gave undefined, which is no verdict\.$/],
  ['async () => null', /The validator "is-kind" gave a promise, which is no verdict\.$/],
  ['() => 7', /The validator "is-kind" gave 7, which is no verdict\.$/],
])('a validator that is %s breaks its trials, and fails no model', async (validate, message) => {
  const cwd = specsIn({ echo: SPEC });
  writeFileSync(path.join(cwd, 'mine.mjs'), aModule(`validate: ${validate}`));
  const { results } = await runModels(cwd, { plugins: ['./mine.mjs'] });
  expect(results).toMatchObject([
    {
      verdict: 'insufficient',
      cells: [
        { at: { line: 4, column: 7 }, trials: { failed: 0, broken: 1 }, message: expect.stringMatching(message) },
      ],
    },
  ]);
});
