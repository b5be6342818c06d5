import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { leadingValidators, validatorTypes } from '../../src/checks/validators/builtin.ts';
import { validatorOptions } from '../../src/checks/validators/validator-options.ts';
import type { OpenRunner } from '../../src/plugin/runner-type.ts';
import { BUILTIN_TESTS } from '../../src/suites/model/builtin-tests.ts';
import { CAPABILITIES, type Capability } from '../../src/types/model-test.ts';
import { aGenkitProject, GENKIT, skipsGenkit } from './a-genkit.ts';
import { aFolder, openRunner } from './a-runner.ts';

/** Their names say how they answer. */
const MODELS = ['good', 'bad', 'silent', 'mid-stream-error', 'slow', 'flaky'].map((mode) => `fake/${mode}`);

// None of the twelve looks at a schema.
const OPTIONS = validatorOptions('both', () => () => []);

/** What each built-in test comes to, asked of Genkit one after the other. */
async function verdicts(
  runner: OpenRunner,
  model: string,
  asked: readonly Capability[],
  timeoutMs = 60_000,
): Promise<readonly (readonly [Capability, string])[]> {
  const found: [Capability, string][] = [];
  for (const capability of asked) {
    const { input, stream, validators } = BUILTIN_TESTS.get(capability) ?? fail(`There is no test ${capability}.`);
    const answer = await runner.ask({ model, input, stream, validators, timeoutMs }, new AbortController().signal);
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

interface Case {
  readonly type: string;
  readonly asked: readonly Capability[];
  /** What a test comes to whose stream has no pieces. */
  readonly silent: string;
  /** It starts the entry anew for each question. */
  readonly startsEach?: boolean;
}

const CASES: readonly Case[] = [
  { type: 'reflection', asked: CAPABILITIES, silent: 'chunks-arrive' },
  { type: 'reflection-v2', asked: CAPABILITIES, silent: 'chunks-arrive' },
  { type: 'in-process', asked: CAPABILITIES, silent: 'chunks-arrive' },
  {
    type: 'cli',
    // Each takes seconds.
    asked: ['tool-request', 'structured-output', 'streaming-multiturn'],
    silent: 'Streaming requested but no chunks received.',
    startsEach: true,
  },
];

describe.skipIf(skipsGenkit).each(CASES)('the built-in tests through $type', ({ type, asked, silent, startsEach }) => {
  const streaming = asked.filter((capability) => capability.startsWith('streaming'));
  const all = (verdict: string, of = asked) => of.map((capability) => [capability, verdict]);
  let runner: OpenRunner;
  beforeAll(async () => {
    let remove = (): void => undefined;
    const folder = aFolder((atEnd) => (remove = atEnd));
    // The command is looked for where the project is.
    if (startsEach === true) symlinkSync(path.join(GENKIT, 'node_modules'), path.join(folder, 'node_modules'));
    runner = await openRunner(type, aGenkitProject(MODELS, folder));
    return async () => {
      await runner.close();
      remove();
    };
  });

  test('pass where the plug-in keeps the contract', async () => {
    expect(await verdicts(runner, 'fake/good', asked)).toEqual(all('passed'));
  });

  test('fail where it answers something else', async () => {
    const found = await verdicts(runner, 'fake/bad', asked);
    // A text of any kind is what the test of videos asks for.
    const passed = found.filter(([, verdict]) => verdict === 'passed').map(([capability]) => capability);
    expect(passed).toEqual(asked.filter((capability) => capability === 'input-video-youtube'));
    expect(found.filter(([, verdict]) => verdict === 'error')).toEqual([]);
  });

  test('fail where a stream has no pieces', async () => {
    expect(await verdicts(runner, 'fake/silent', streaming)).toEqual(all(silent, streaming));
  });

  test('have no answer where the model breaks off', async () => {
    expect(await verdicts(runner, 'fake/mid-stream-error', streaming)).toEqual(all('error', streaming));
  });

  test.skipIf(startsEach)('have no answer where the model takes too long', async () => {
    expect(await verdicts(runner, 'fake/slow', ['multiturn'], 300)).toEqual([['multiturn', 'timed_out']]);
  });

  test.skipIf(startsEach)('have no answer each third time where the model is flaky', async () => {
    expect((await verdicts(runner, 'fake/flaky', asked)).map(([, verdict]) => verdict)).toEqual(
      asked.map((_, index) => (index % 3 === 2 ? 'error' : 'passed')),
    );
  });
});

function fail(message: string): never {
  throw new Error(message);
}
