import { expect, test } from 'vitest';
import { loadSuite } from '../../src/suite/load-suite.ts';
import { runSuite } from '../../src/suite/run-suite.ts';

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
  [null, 'The options must be one object, such as { paths: ["scenarios"] }.'],
  ['scenarios', 'The options must be one object, such as { paths: ["scenarios"] }.'],
])('options that a program without types gets wrong are refused: %j', async (options, message) => {
  // As a JavaScript program would pass them.
  const given = options as never;
  await expect(runSuite(given)).rejects.toMatchObject({ code: 'USAGE', message });
  await expect(loadSuite(given)).rejects.toMatchObject({ code: 'USAGE', message });
});
