import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { aFolder, aGreeting, runPassk } from './run-passk.ts';

/** Runs a scenario with a reporter whose module says so much when it is loaded. */
async function runWith(code: string): Promise<{ readonly status: number | null; readonly told: string }> {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'greeting.toml'), aGreeting({ lastNode: 'greet' }));
  writeFileSync(
    path.join(cwd, 'quiet.mjs'),
    `import { appendFileSync } from 'node:fs';
const tell = (word) => appendFileSync('told', word + ' ');
tell('loaded');
${code}
export const quiet = { kind: 'reporter', type: 'quiet', summary: 'Says nothing.', render: () => '' };
`,
  );
  const { status } = await runPassk(['greeting.toml', '--plugin', './quiet.mjs', '-r', 'quiet'], { cwd });
  return { status, told: readFileSync(path.join(cwd, 'told'), 'utf8') };
}

test('what a plug-in has begun is carried out before the command ends, with the same exit code', async () => {
  expect(await runWith(`setTimeout(() => tell('later'), 300);`)).toEqual({ status: 1, told: 'loaded later ' });
});

test('what a plug-in begins when nothing else is left is carried out as well', async () => {
  const code = `process.once('beforeExit', () => setTimeout(() => tell('afterwards'), 50));
process.on('beforeExit', () => tell('idle'));
process.on('exit', (code) => tell('exit ' + code));`;
  expect(await runWith(code)).toEqual({ status: 1, told: 'loaded idle afterwards idle exit 1 ' });
});
