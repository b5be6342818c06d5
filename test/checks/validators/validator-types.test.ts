import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leadingValidators, validatorTypes } from '../../../src/checks/validators/builtin.ts';
import type { ValidatedAnswer } from '../../../src/plugin/validator-type.ts';
import { COMPATS } from '../../../src/types/model-test.ts';
import type { Json, JsonObject } from '../../../src/types/json.ts';
import { freezeDeep } from '../../../src/values/freeze-deep.ts';
import { anyAnswer } from './arbitrary-answers.ts';
import { processorMs } from '../../support/processor-time.ts';
import { judge, said, streamed, WEATHER_TOOL } from './builders.ts';
import { EXAMPLES } from './validator-examples.ts';

const DOCS = readFileSync('docs/model-conformance.md', 'utf8');

test('each word means one validator', () => {
  const words = validatorTypes.map(({ type }) => type);
  expect(new Set(words).size).toBe(words.length);
});

test('a streaming test is judged by its chunks first, then every test by the shape of its response', () => {
  const leading = [true, false].map((stream) => leadingValidators({ stream }).map(({ type }) => type));
  expect(leading).toEqual([['chunks-arrive', 'response-shape'], ['response-shape']]);
});

describe.each(validatorTypes.map((one) => [one.type, one] as const))('%s', (type, one) => {
  const examples = EXAMPLES.filter(({ use }) => use.split(':')[0] === type);
  const uses = [...new Set(examples.map(({ use }) => use))];

  test('is whole: a summary, a rule for its argument, an example and a row of the docs', () => {
    expect(one.kind).toBe('validator');
    expect(type).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(one.summary).toMatch(/^[A-Z].*\.$/);
    expect(one.argument.what === '').toBe(one.argument.is === 'none');
    const shown = { none: type, optional: `${type}[:`, required: `${type}:` }[one.argument.is];
    expect(DOCS).toContain(`| \`${shown}`);
    expect(examples.length).toBeGreaterThan(0);
  });

  test.each(examples)('$use passes and fails, and says why: $failure', ({ use, passes, fails, failure }) => {
    expect([judge(use, passes), judge(use, fails)]).toEqual([null, failure]);
  });

  test('says a sentence or nothing of whatever answers come, the same each time, and changes none', () => {
    fc.assert(
      fc.property(anyAnswer, fc.constantFrom(...uses), fc.constantFrom(...COMPATS), (answer, use, compat) => {
        const frozen = freezeDeep(structuredClone(answer) as unknown as Json) as unknown as ValidatedAnswer;
        const failure = judge(use, frozen, compat);
        if (failure !== null) expect(failure).toMatch(/^[`A-Z0-9][\s\S]*\.$/);
        expect(judge(use, frozen, compat)).toBe(failure);
        expect(frozen).toEqual(answer);
      }),
      { numRuns: 300 },
    );
  });

  test('never passes an answer that has nothing of what it looks for', () => {
    for (const use of uses.filter((named) => named !== 'response-shape')) {
      expect([use, judge(use, { response: null })]).toEqual([use, expect.any(String)]);
      expect([use, judge(use, { response: {}, chunks: [] })]).toEqual([use, expect.any(String)]);
    }
  });

  test('takes time in proportion to a long answer, not to its square', () => {
    const started = processorMs();
    for (const piece of ['\\"', '\u001c', ' ', 'NaN', '"a', '[', '1,', 'data:', 'é']) {
      const long = { text: piece.repeat(300_000) };
      const answer = { ...said(long), ...streamed([long], [long]), input: AFTER_TOOL };
      for (const use of uses) for (const compat of COMPATS) judge(use, answer, compat);
    }
    expect(processorMs() - started).toBeLessThan(30_000);
  });
});

/** A request that every validator can judge an answer to. */
const AFTER_TOOL: JsonObject = {
  messages: [{ role: 'tool', content: [{ toolResponse: { name: 'weather', output: '21' } }] }],
  tools: [WEATHER_TOOL],
  output: { schema: { type: 'object' } },
};
