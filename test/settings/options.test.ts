import { expect, test } from 'vitest';
import { loadSuite } from '../../src/suite/load-suite.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import { aRouter } from '../suite/scenarios.ts';

test.each([
  [{ pahts: ['x'] }, 'There is no option `pahts`. Did you mean "paths"?'],
  [{ tags: 'smoke' }, '`tags` must be a list of texts.'],
  [{ paths: [1] }, '`paths` must be a list of texts.'],
  [{ maxFileSize: -1 }, '`maxFileSize` must be a whole number from 1 to 9007199254740991, got -1.'],
  [
    { bail: 'yes', trials: 0 },
    '`bail` must be true, false or a whole number of at least 0, got "yes". `trials` must be a whole number from 1 to 4294967296, got 0.',
  ],
  [
    { minPassRate: null, only: 'agents' },
    '`minPassRate` must be a number from 0 to 1, got null. `only` must be one of scenarios, contracts, models, got "agents".',
  ],
  [{ scenarios: {} }, '`scenarios` must be a list of scenarios.'],
  [{ models: 'openai' }, '`models` must be an object of models by name.'],
  [{ nodes: [] }, '`nodes` must be an object of node types by name, each with a function `run`.'],
  [
    { nodes: { shout: { summary: 'Shouts.' } } },
    '`nodes` holds "shout", which needs a function `run`; `reads` and `labels` are lists of texts.',
  ],
  [{ signal: new AbortController() }, '`signal` must be an AbortSignal, such as the `signal` of an AbortController.'],
  [{ onProgress: 'x', onOutput: 1 }, '`onProgress` must be a function. `onOutput` must be a function.'],
  [{ baseline: 7 }, '`baseline` must be the name of a file, or a baseline.'],
  [
    { journal: { resume: true } },
    '`journal` must be the name of a folder, or an object with it as `folder`, such as { folder: ".passk/journal", resume: true }.',
  ],
  [null, 'The options must be one object, such as { paths: ["scenarios"] }.'],
  ['scenarios', 'The options must be one object, such as { paths: ["scenarios"] }.'],
])('options that a program without types gets wrong are refused: %j', async (options, message) => {
  // As a JavaScript program would pass them.
  const given = options as never;
  await expect(runSuite(given)).rejects.toMatchObject({ code: 'USAGE', message });
  await expect(loadSuite(given)).rejects.toMatchObject({ code: 'USAGE', message });
});

test.each(['input=3', -1, { input: 3 }, { input: 3, output: '15' }, { input: 3, output: 15, cache: 1 }])(
  'prices that a program without types gets wrong are refused: %j',
  async (prices) => {
    await expect(runSuite({ prices } as never)).rejects.toMatchObject({
      code: 'USAGE',
      message:
        '`prices` must be USD per million tokens: a number from 0, or { input, output } and if you like `cached` and `batch`, such as { input: 3, output: 15 }.',
    });
  },
);

test('an empty list of scenarios is not taken for the folder', async () => {
  const none = { code: 'INPUT', message: 'No scenario was selected; nothing was run.' };
  await expect(runSuite({ cwd: 'corpus/fixtures', scenarios: [] })).rejects.toMatchObject(none);
  expect((await loadSuite({ cwd: 'corpus/fixtures', scenarios: [] })).scenarios).toEqual([]);
});

test('a value that no JSON shows is named in the refusal', async () => {
  await expect(runSuite({ trials: 10n, stopEarly: 10n } as never)).rejects.toMatchObject({
    code: 'USAGE',
    message:
      '`trials` must be a whole number from 1 to 4294967296, got 10n. `stopEarly` must be true, "curtail" or "sprt", got 10n.',
  });
});

test.each([
  [1000, '`forecast` must be an object with a list `runsPerDay`, such as { runsPerDay: [1000] }.'],
  [{ runsPerDay: 1000 }, '`forecast` must be an object with a list `runsPerDay`, such as { runsPerDay: [1000] }.'],
  [
    { runsPerDay: [1000], prices: { input: 3 } },
    '`forecast.prices` must be USD per million tokens: a number from 0, or { input, output } and if you like `cached` and `batch`, such as { input: 3, output: 15 }.',
  ],
])('a forecast that a program without types gets wrong is refused: %j', async (forecast, message) => {
  await expect(runSuite({ forecast } as never)).rejects.toMatchObject({ code: 'USAGE', message });
});

test('a baseline that is none is refused where a program gives it as an object', async () => {
  const baseline = { format: 'passk-baseline/4', passk: '0.1.0', seed: 0 };
  await expect(runSuite({ scenarios: [aRouter()], baseline } as never)).rejects.toMatchObject({
    code: 'INPUT',
    message: 'The baseline `options.baseline` cannot be used: the file needs the key "scenarios".',
  });
});
