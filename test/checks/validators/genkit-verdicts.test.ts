import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leadingValidators } from '../../../src/checks/validators/builtin.ts';
import type { ValidatedAnswer } from '../../../src/plugin/validator-type.ts';
import type { Json } from '../../../src/types/json.ts';
import { judge } from './builders.ts';

/**
 * Verdicts of Genkit's own JavaScript tool, genkit-cli 1.43.0: its `runTest` of `dev:test-model` was called with a manager that
 * gives these responses and chunks, once for each validator, and `null` for none. The cases are drawn: well-shaped answers with now
 * and then a part, a message or a field of another shape. Of 6,000 cases, a few of each set of verdicts stand here; ours were
 * the same in all of them. A digit is 1 where the validator of that position in `uses` passed. Null chunks: no stream.
 */
const { uses, cases } = JSON.parse(
  readFileSync(new URL('./fixtures/genkit-verdicts.json', import.meta.url), 'utf8'),
) as {
  readonly uses: readonly (string | null)[];
  readonly cases: readonly (readonly [verdicts: string, response: Json, chunks: readonly Json[] | null])[];
};

/** The verdict of a test that names one validator, or none. */
function passes(use: string | null, answer: Pick<ValidatedAnswer, 'response' | 'chunks'>): boolean {
  const leading = leadingValidators({ stream: answer.chunks !== null }).map(({ type }) => type);
  return [...leading, ...(use === null ? [] : [use])].every((named) => judge(named, answer, 'js') === null);
}

test('each validator passes and fails in some of the cases', () => {
  for (const index of uses.keys()) {
    expect([uses[index], new Set(cases.map(([verdicts]) => verdicts[index])).size]).toEqual([uses[index], 2]);
  }
});

test.each(uses.map((use, index) => [use, index] as const))('%s judges as the JavaScript tool does', (use, index) => {
  for (const [verdicts, response, contents] of cases) {
    const chunks = contents === null ? null : contents.map((chunk) => ({ atMs: null, chunk }));
    const theirs = verdicts[index] === '1';
    expect({ response, contents, passes: passes(use, { response, chunks }) }).toEqual({
      response,
      contents,
      passes: theirs,
    });
  }
});
