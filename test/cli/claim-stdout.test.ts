import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

const CHATTER = "console.log('from the console'); process.stdout.write('from the stream\\n');";

test('what modules of the user print on standard output stands on standard error, and the report is JSON', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting());
  writeFileSync(path.join(cwd, 'nodes.mjs'), `${CHATTER}\nexport const none = [];`);
  writeFileSync(path.join(cwd, 'passk.config.mjs'), `${CHATTER}\nexport default { trials: 3 };`);
  const { status, stdout, stderr } = await runPassk(['a.toml', '--json', '--trust'], { cwd });
  expect(status).toBe(0);
  expect(JSON.parse(stdout).summary.trials.executed).toBe(3);
  expect(stderr).toContain('from the console\nfrom the stream\n');
  const plugged = await runPassk(['a.toml', '--json', '--plugin', './nodes.mjs', '--no-config'], { cwd });
  expect(plugged.stdout).not.toContain('from the');
  expect(plugged.stderr).toContain('from the console');
});
