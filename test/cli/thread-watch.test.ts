import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { aFolder } from './run-passk.ts';

const WATCH = pathToFileURL(fileURLToPath(new URL('../../dist/src/cli/thread-watch.js', import.meta.url))).href;

test('code of others that computes without a pause on the thread of the command is told with its place', async () => {
  const folder = aFolder();
  const told = path.join(folder, 'told');
  writeFileSync(
    path.join(folder, 'plug-in.mjs'),
    `import { existsSync } from 'node:fs';
export function render() {
  // Nobody but the watch can end this.
  while (!existsSync(${JSON.stringify(told)}));
  return 'rendered';
}
`,
  );
  const command = path.join(folder, 'command.mjs');
  writeFileSync(
    command,
    `import { writeSync } from 'node:fs';
import { watchThread } from ${JSON.stringify(WATCH)};
import { render } from './plug-in.mjs';
const unwatch = watchThread({ say: (sentence) => writeSync(2, sentence), patienceMs: 300 });
setTimeout(() => {
  console.log(render());
  unwatch();
}, 10);
`,
  );
  const child = spawn(process.execPath, [command], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
    writeFileSync(told, '');
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect([status, said.stdout]).toEqual([0, 'rendered\n']);
  const rest = `has computed for 0.3 s without a pause. Until it ends nothing else is done, and Ctrl-C is not heard; kill -9 ${child.pid} ends passk.`;
  // The loop, whatever of it runs just then.
  expect(said.stderr.replace(/:4:\d+ /, ':4 ')).toBe(`plug-in.mjs:4 ${rest}`);
});
