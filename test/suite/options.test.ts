import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSuite } from '../../src/suite/load-suite.ts';
import { runSuite } from '../../src/suite/run-suite.ts';

test.each([
  [{ pahts: ['x'] }, 'There is no option `pahts`. Did you mean "paths"?'],
  [{ tags: 'smoke' }, '`tags` must be a list of texts.'],
  [{ paths: [1] }, '`paths` must be a list of texts.'],
  [null, 'The options must be one object, such as { paths: ["scenarios"] }.'],
  ['scenarios', 'The options must be one object, such as { paths: ["scenarios"] }.'],
])('options that a program without types gets wrong are refused: %j', async (options, message) => {
  // As a JavaScript program would pass them.
  const given = options as never;
  await expect(runSuite(given)).rejects.toMatchObject({ code: 'USAGE', message });
  await expect(loadSuite(given)).rejects.toMatchObject({ code: 'USAGE', message });
});

test('the problems of a workflow file that several scenarios share are said once', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'shared.wf'), 'name = "w"\nedges = []\nnods = []\n');
  for (const name of ['one', 'two']) {
    const text = `name = "${name}"\nworkflow.path = "shared.wf"\nexpected.status = "completed"\n`;
    writeFileSync(path.join(folder, `${name}.toml`), text);
  }
  const { issues } = await loadSuite({ cwd: folder });
  expect(issues.filter(({ severity }) => severity === 'error').map(({ code, at }) => [code, at?.file])).toEqual([
    ['unknown_key', 'shared.wf'],
    ['invalid_workflow', 'one.toml'],
    ['invalid_workflow', 'two.toml'],
  ]);
});
