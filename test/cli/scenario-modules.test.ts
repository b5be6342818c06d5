import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { aFolder, runPassk } from './run-passk.ts';

const GREETING = `{
  name: 'greeting',
  trials: 3,
  workflow: {
    inline: {
      name: 'greeter',
      startNodes: [{ name: 'main', source: 'manual', entryNode: 'greet' }],
      nodes: [{ id: 'greet', type: 'template_render', template: 'Hello, {{name}}.', inputFrom: 'trigger' }],
    },
  },
  trigger: { payload: { name: 'Ada' } },
  expected: { status: 'completed', final: { path: 'rendered', equals: 'Hello, Ada.' } },
}`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const cwd = aFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  return cwd;
}

test('a module that the user names is run, and what it prints is no part of the report', async () => {
  const cwd = folderWith({ 'greeting.scenario.mjs': `console.log('chatter');\nexport default ${GREETING};` });
  const { status, stdout, stderr } = await runPassk(['greeting.scenario.mjs', '--json'], { cwd });
  expect([status, stderr.includes('chatter')]).toEqual([0, true]);
  expect(JSON.parse(stdout)).toMatchObject({ scenarios: [{ name: 'greeting', file: 'greeting.scenario.mjs' }] });
});

test('a module that passk.toml names is run once the user agrees, and by no command that only looks', async () => {
  const ran = "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('./ran', import.meta.url), '');";
  const files = {
    'passk.toml': 'paths = ["*.scenario.mjs"]\n',
    'greeting.scenario.mjs': `${ran}\nexport default ${GREETING};`,
  };
  const cwd = folderWith(files);
  const env = { XDG_STATE_HOME: aFolder() };
  const refused = await runPassk(['run'], { cwd, env });
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining('run code: paths = ["*.scenario.mjs"] (passk.toml:1)'),
  ]);
  const looked = await runPassk(['list'], { cwd, env });
  expect(looked.stderr).toContain('paths left out, since nobody has agreed to it');
  expect(existsSync(path.join(cwd, 'ran'))).toBe(false);
  expect(await runPassk(['run', '--trust', '--quiet'], { cwd, env })).toMatchObject({ status: 0 });
  expect(existsSync(path.join(cwd, 'ran'))).toBe(true);
});

test.each(['run', 'validate'])('%s: a module that ends the process, or never ends, gives no verdict', async (verb) => {
  const cwd = folderWith({
    'ends.mjs': 'process.exit(0);',
    'waits.mjs': 'await new Promise(() => undefined);\nexport default {};',
    'greeting.toml': '',
  });
  const ended = await runPassk([verb, 'ends.mjs'], { cwd });
  expect(ended).toMatchObject({
    status: 2,
    stderr: 'passk: a module that was loaded has called process.exit(): there is no verdict.\n',
  });
  const plugged = await runPassk([verb, 'greeting.toml', '--plugin', './ends.mjs'], { cwd });
  expect(plugged).toMatchObject({ status: 2, stdout: '' });
  const stuck = await runPassk([verb, 'waits.mjs'], { cwd });
  expect(stuck.status).toBe(2);
  expect(stuck.stdout + stuck.stderr).toContain('it waits outside of its functions for something that never comes.');
});

test('what a module throws where nobody waits for it is told with its line, and what it leaves running is ended', async () => {
  const plugin = "export const own = { kind: 'runner', type: 'own', summary: 'Own.', open: async () => undefined };";
  const cwd = folderWith({
    'late.mjs': `${plugin}\nPromise.reject(new Error('too late'));`,
    'stays.mjs': `${plugin}\nsetInterval(() => undefined, 1000);`,
  });
  const [late, stays] = await Promise.all(
    ['late.mjs', 'stays.mjs'].map((file) => runPassk(['plugins', '--plugin', `./${file}`], { cwd })),
  );
  expect(late).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /^passk: code of a module failed at late\.mjs:2:\d+, where nobody waited for it: too late\nThere is no verdict\./,
    ),
  });
  expect(stays).toMatchObject({
    status: 0,
    stderr: 'passk: something that a module has started still runs and is ended now: Timeout.\n',
  });
});
