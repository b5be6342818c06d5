import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { RunnerStart } from '../../src/plugin/runner-type.ts';
import { builtinRunners } from '../../src/runners/builtin.ts';
import { aGenkitProject, skipsGenkit } from './a-genkit.ts';
import { aFolder, aRunner, aStart, textOf } from './a-runner.ts';

function entry(text: string, name = 'entry.mjs'): string {
  const file = path.join(aFolder(), name);
  writeFileSync(file, text);
  return file;
}
const open = (text: string) => aRunner('in-process', { entry: entry(text) });
const answers = "{ message: { role: 'model', content: [{ text: 'yes' }] } }";

test.each([
  ['a function of its own', `export const generate = async () => (${answers});`],
  ['an object called ai', `export const ai = { generate: async () => (${answers}) };`],
  ['a default export', `export default { generate: () => (${answers}) };`],
])('asks %s', async (_, text) => {
  expect(textOf(await (await open(text)).say('hi'))).toBe('yes');
});

test('hands over the model, the request and whether it streams', async () => {
  const runner = await open(
    "export const generate = ({ model, input, stream }) => ({ message: { role: 'model', content: [{ text: JSON.stringify({ model, input, stream }) }] } });",
  );
  const input = { messages: [], config: { temperature: 0 } };
  const answer = await runner.say('', { input, stream: true });
  expect(JSON.parse(textOf(answer) ?? '')).toEqual({ model: 'fake/one', input, stream: true });
});

test('tells a module that an answer is not waited for any more, while it has others to give', async () => {
  const runner = await open(`let stopped;
const stop = new Promise((resolve) => (stopped = resolve));
export async function generate({ input, signal }) {
  if (input.messages[0].content[0].text === 'slow') {
    signal.addEventListener('abort', stopped);
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  await stop;
  return ${answers};
}`);
  const [slow, other] = await Promise.all([runner.say('slow', { timeoutMs: 300 }), runner.say('other')]);
  expect([slow, textOf(other)]).toMatchObject([{ why: 'timed_out' }, 'yes']);
});

test.each([
  ['exports nothing to ask', 'export const answer = 42;', 'It exports: answer.'],
  ['cannot be loaded', "throw new Error('no key');", 'cannot be used: no key.'],
  ['ends while it is loaded', 'process.exit(3);', 'The entry module ended with exit code 3.'],
])('a module that %s is told', async (_, text, message) => {
  await expect(open(text)).rejects.toThrow(message);
});

describe('a module in TypeScript', () => {
  const problems = async (given: Partial<RunnerStart>) =>
    builtinRunners.find(({ type }) => type === 'in-process')?.problems?.(aStart(given));
  const typed = `export const generate = async (): Promise<object> => (${answers});`;
  const stripsTypes = Boolean(Reflect.get(process.features, 'typescript'));

  test.skipIf(stripsTypes)('is refused where nothing loads it', async () => {
    const file = entry(typed, 'entry.ts');
    expect(await problems({ entry: file, cwd: path.dirname(file) })).toEqual([
      `This Node cannot load ${file}: install tsx beside it, or run a Node that strips types.`,
    ]);
  });

  test('is loaded by tsx of its own folder, where Node does not', async () => {
    const file = entry(typed, 'entry.ts');
    // What tsx does, as far as it matters here: types go.
    const tsx = path.join(path.dirname(file), 'node_modules', 'tsx');
    const esbuild = JSON.stringify(fileURLToPath(new URL('../../node_modules/esbuild/lib/main.js', import.meta.url)));
    mkdirSync(tsx, { recursive: true });
    writeFileSync(path.join(tsx, 'package.json'), '{"name":"tsx","version":"1.0.0","exports":"./loader.mjs"}');
    writeFileSync(
      path.join(tsx, 'loader.mjs'),
      "import { register } from 'node:module';\nregister('./hooks.mjs', import.meta.url);\n",
    );
    writeFileSync(
      path.join(tsx, 'hooks.mjs'),
      `import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import esbuild from ${esbuild};
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = esbuild.transformSync(readFileSync(fileURLToPath(url), 'utf8'), { loader: 'ts' });
  return { format: 'module', source: code, shortCircuit: true };
}
`,
    );
    expect(await problems({ entry: file })).toEqual([]);
    expect(textOf(await (await aRunner('in-process', { entry: file })).say('hi'))).toBe('yes');
  });
});

test('a module needs the flag that grants it, or Node', async () => {
  const file = entry(`export const generate = () => (${answers});`);
  const runner = builtinRunners.find(({ type }) => type === 'in-process');
  const problems = (run: readonly string[]) =>
    runner?.problems?.(aStart({ entry: file, permissions: { ...aStart().permissions, run } }));
  expect(await problems([])).toEqual([`The module ${file} needs --allow-run=${file}.`]);
  expect([await problems([file]), await problems(['node'])]).toEqual([[], []]);
});

describe.skipIf(skipsGenkit)('Genkit', () => {
  const system = (text: string) => ({ role: 'system', content: [{ text }] });
  const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } });

  test('keeps every system message, and the schema of the output', async () => {
    const runner = await aRunner('in-process', aGenkitProject());
    const answer = await runner.say('', {
      input: {
        messages: [system('one'), system('two'), { role: 'user', content: [{ text: 'hi' }] }],
        output: {
          format: 'json',
          schema: { type: 'object', properties: { name: { type: 'string' } } },
          constrained: true,
        },
      },
    });
    expect(answer).toMatchObject({
      kind: 'answer',
      response: {
        request: {
          messages: [system('one'), system('two'), { role: 'user' }],
          output: { schema: { properties: { name: { type: 'string' } } } },
        },
      },
    });
    expect(JSON.parse(textOf(answer) ?? '')).toEqual({ name: 'text' });
  });

  test('gives each request its own tools, of one name or not', async () => {
    const runner = await aRunner('in-process', aGenkitProject());
    const ask = (name: string, description: string) =>
      runner.say('', {
        input: { messages: [{ role: 'user', content: [{ text: 'hi' }] }], tools: [{ ...tool(name), description }] },
      });
    const [first, second] = await Promise.all([ask('weather', 'old'), ask('weather', 'new')]);
    expect(first).toMatchObject({ response: { request: { tools: [{ name: 'weather', description: 'old' }] } } });
    expect(second).toMatchObject({
      response: {
        request: { tools: [{ name: 'weather', description: 'new' }] },
        message: { content: [{ toolRequest: { name: 'weather' } }] },
      },
    });
  });
});
