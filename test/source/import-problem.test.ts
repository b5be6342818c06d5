import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { importProblem } from '../../src/source/import-problem.ts';
import { runModule } from '../../src/source/run-module.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'passk-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function problemOf(name: string, code: string) {
  const file = path.join(folder, name);
  writeFileSync(file, code);
  const { href } = pathToFileURL(file);
  return import(href).then(
    () => null,
    (cause: unknown) => importProblem(cause, href, '20.19.0'),
  );
}

test('says where a module threw', async () => {
  expect(await problemOf('throws.mjs', "\n  throw new Error('no key');")).toEqual({
    reason: 'no key',
    hint: 'It threw at line 2, column 9.',
  });
});

test('says how to see the line of an error of syntax, which Node does not tell', () => {
  // The runner of these tests reads modules itself, so that the error is made here as Node makes it.
  const { href } = pathToFileURL(path.join(folder, 'cut.mjs'));
  const cause = Object.assign(new SyntaxError('Unexpected end of input'), {
    stack: 'SyntaxError\n    at node:internal',
  });
  expect(importProblem(cause, href, '20.19.0')).toEqual({
    reason: 'Unexpected end of input',
    hint: `It cannot be read as JavaScript; this shows the line: node ${path.join(folder, 'cut.mjs')}`,
  });
});

test.each([
  "import { defineWorld } from 'passk/plugin';\n\ninterface Shop { n: number }\n",
  "import type { AgentSession } from 'passk/plugin';\nexport default ({ tools }: AgentSession) => null;\n",
  'export default async (message: string) => message;\n',
])('says that a module has types in it, which JavaScript has not: %j', (code) => {
  const file = path.join(folder, 'shop.world.mjs');
  writeFileSync(file, code);
  const { href } = pathToFileURL(file);
  expect(importProblem(new SyntaxError('Unexpected strict mode reserved word'), href, '20.19.0')).toEqual({
    reason:
      'it is written in TypeScript, and its name is that of JavaScript. Leave its types out, or name it shop.world.mts.',
    hint: 'Node runs TypeScript from 22.18 on.',
  });
});

test('says how a module is named that package.json makes CommonJS', async () => {
  const own = path.join(folder, 'commonjs');
  mkdirSync(own);
  writeFileSync(path.join(own, 'package.json'), '{ "type": "commonjs" }');
  for (const code of ["import 'node:path';", 'export default {};']) {
    const file = path.join(own, `passk-${code.length}.config.js`);
    writeFileSync(file, code);
    const script = `import(${JSON.stringify(pathToFileURL(file).href)}).catch(({ name, message }) => console.log(JSON.stringify({ name, message })))`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
    const { name, message } = JSON.parse(stdout) as { readonly name: string; readonly message: string };
    expect(name).toBe('SyntaxError');
    expect(importProblem(new SyntaxError(message), pathToFileURL(file).href, '20.19.0')).toEqual({
      reason: 'it is written as a module, and the nearest package.json has "type": "commonjs".',
      hint: `Rename it to passk-${code.length}.config.mjs, or write "type": "module" there.`,
    });
  }
});

test('a module that is not there is told apart from one that it imports', () => {
  const cause = { code: 'ERR_MODULE_NOT_FOUND', url: 'file:///x/plug.mjs' };
  const error = Object.assign(new Error("Cannot find module '/x/plug.mjs' imported from /y/passk.cjs"), cause);
  expect(importProblem(error, 'file:///x/plug.mjs', '20.19.0').reason).toBe('there is no such file.');
  expect(importProblem(error, 'file:///x/other.mjs', '20.19.0').reason).toContain('Cannot find module');
  writeFileSync(path.join(folder, 'plugin.mjs'), '');
  const { href } = pathToFileURL(path.join(folder, 'plugn.mjs'));
  expect(importProblem(Object.assign(new Error(), { ...cause, url: href }), href, '20.19.0').hint).toBe(
    'Did you mean "plugin.mjs"?',
  );
});

test('says what is missing', async () => {
  const problem = await problemOf('lacks.mjs', "import 'a-package-that-nobody-has';");
  expect(problem?.reason).toContain("Cannot find package 'a-package-that-nobody-has'");
  expect(problem?.hint).toBe('Check the path, or install the package that is named.');
});

test('says from which Node on TypeScript runs, where it does not', () => {
  const cause = Object.assign(new Error('Unknown file extension ".ts"'), { code: 'ERR_UNKNOWN_FILE_EXTENSION' });
  const { reason, hint } = importProblem(cause, 'file:///x/passk.config.ts', '20.19.0');
  expect(reason).toBe(`Node 20.19.0 does not run TypeScript.`);
  expect(hint).toContain('Node 22.18 and later do.');
  expect(importProblem(cause, 'file:///x/nodes.py', '20.19.0').hint).toBe('Name a JavaScript module (.js or .mjs).');
});

test('takes whatever is thrown', () => {
  expect(importProblem(undefined, 'a-package', '20.19.0').reason).toBe('undefined');
  expect(importProblem({ stack: 1 }, 'file:///x.mjs', '20.19.0').hint).toBe(
    'It must be a JavaScript module (.js or .mjs).',
  );
});

test.skipIf(process.platform === 'win32')('a pipe is not waited for', async () => {
  const pipe = path.join(folder, 'pipe.mjs');
  execFileSync('mkfifo', [pipe]);
  const { href } = pathToFileURL(pipe);
  const cause: unknown = await runModule(href).catch((error: unknown) => error);
  expect(importProblem(cause, href, '20.19.0')).toEqual({
    reason: 'it is no regular file.',
    hint: 'Name a regular file.',
  });
});
