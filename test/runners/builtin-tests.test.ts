import { describe, expect, test } from 'vitest';
import { leadingValidators, validatorTypes } from '../../src/checks/validators/builtin.ts';
import { validatorOptions } from '../../src/checks/validators/validator-options.ts';
import type { OpenRunner } from '../../src/plugin/runner-type.ts';
import { BUILTIN_TESTS } from '../../src/suites/model/builtin-tests.ts';
import { CAPABILITIES, type Capability } from '../../src/types/model-test.ts';
import { aGenkitProject, skipsGenkit } from './a-genkit.ts';
import { aRunner } from './a-runner.ts';

// None of the twelve looks at a schema.
const OPTIONS = validatorOptions('both', () => () => []);

/** What each built-in test comes to, asked of Genkit one after the other. */
async function verdicts(
  runner: OpenRunner,
  asked: readonly Capability[],
  timeoutMs = 60_000,
): Promise<readonly (readonly [Capability, string])[]> {
  const found: [Capability, string][] = [];
  for (const capability of asked) {
    const { input, stream, validators } = BUILTIN_TESTS.get(capability) ?? fail(`There is no test ${capability}.`);
    const answer = await runner.ask(
      { model: 'fake/one', input, stream, validators, timeoutMs },
      new AbortController().signal,
    );
    if (answer.kind !== 'answer') {
      found.push([capability, answer.kind === 'problem' ? answer.why : (answer.failure ?? 'passed')]);
      continue;
    }
    const rules = [
      ...leadingValidators({ stream }).map((type) => ({ type, argument: null })),
      ...validators.map((use) => ({
        type: validatorTypes.find(({ type }) => type === use.type),
        argument: use.argument,
      })),
    ];
    const { response, chunks } = answer;
    const broken = rules.find(
      ({ type, argument }) => type?.validate({ input, response, chunks }, argument, OPTIONS) !== null,
    );
    found.push([capability, broken?.type?.type ?? 'passed']);
  }
  return found;
}

const streaming = CAPABILITIES.filter((capability) => capability.startsWith('streaming'));
const all = (verdict: string) => CAPABILITIES.map((capability) => [capability, verdict]);

describe.skipIf(skipsGenkit).each(['reflection', 'reflection-v2', 'in-process'])(
  'the built-in tests through %s',
  (type) => {
    const open = (mode: string) => {
      const project = aGenkitProject();
      return aRunner(type, { ...project, env: { ...project.env, FAKE_MODE: mode } });
    };

    test('pass where the plug-in keeps the contract', async () => {
      expect(await verdicts(await open('good'), CAPABILITIES)).toEqual(all('passed'));
    });

    test('fail where it answers something else', async () => {
      const found = await verdicts(await open('bad'), CAPABILITIES);
      // A text of any kind is what the test of videos asks for.
      const passed = found.filter(([, verdict]) => verdict === 'passed').map(([capability]) => capability);
      expect(passed).toEqual(['input-video-youtube']);
    });

    test('fail where a stream has no pieces', async () => {
      expect(await verdicts(await open('silent'), streaming)).toEqual(
        streaming.map((capability) => [capability, 'chunks-arrive']),
      );
    });

    test('have no answer where the model breaks off, or takes too long', async () => {
      expect(await verdicts(await open('mid-stream-error'), streaming)).toEqual(
        streaming.map((capability) => [capability, 'error']),
      );
      expect(await verdicts(await open('slow'), ['multiturn'], 300)).toEqual([['multiturn', 'timed_out']]);
    });

    test('have no answer each third time where the model is flaky', async () => {
      expect((await verdicts(await open('flaky'), CAPABILITIES)).map(([, verdict]) => verdict)).toEqual(
        CAPABILITIES.map((_, index) => (index % 3 === 2 ? 'error' : 'passed')),
      );
    });
  },
);

function fail(message: string): never {
  throw new Error(message);
}
