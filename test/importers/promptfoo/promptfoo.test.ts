import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { builtinImporters } from '../../../src/importers/builtin.ts';
import { promptfoo } from '../../../src/importers/promptfoo/promptfoo.ts';
import { promptfooCases } from '../../../src/suites/session/attacks/promptfoo-cases.ts';
import { inFolder, skipsWithout } from '../a-python.ts';
import { importAll, sourceAt, sourceOf } from '../import-all.ts';
import { evaluation, row } from '../sources/promptfoo.ts';

const PLACE = fileURLToPath(new URL('../../../.passk/promptfoo/', import.meta.url));
const PROGRAM = path.join(PLACE, 'node_modules', 'promptfoo', 'dist', 'src', 'entrypoint.js');

function read(rows: readonly unknown[]) {
  return importAll(promptfoo, sourceOf({ 'out.json': evaluation(rows) }));
}

function only(told: Readonly<Record<string, unknown>>) {
  const [run] = read([row(told)]).sets['openai:gpt-x'] ?? [];
  if (run === undefined) throw new Error('There is no run.');
  return run;
}

const CONFIG = {
  prompts: ['Say {{word}}', 'Repeat {{word}}'],
  providers: ['echo', 'file://down.mjs'],
  redteam: { injectVar: 'word' },
  tests: [
    { vars: { word: 'hello' }, assert: [{ type: 'contains', value: 'Say', metric: 'says' }] },
    {
      vars: { word: 'bye' },
      metadata: { pluginId: 'hijacking', strategyId: 'base64' },
      assert: [{ type: 'contains', value: 'bye' }],
    },
  ],
};
const DOWN = `export default class { id() { return 'down'; } async callApi() { return { error: 'the server is down' }; } }`;

describe('promptfoo', () => {
  it('reads a row: verdict, score, assertions, price, tokens, latency and what was said', () => {
    const source = sourceOf({ 'out.json': evaluation([row()]) });
    expect(builtinImporters.find((one) => one.detects(source, {}))).toBe(promptfoo);
    expect(only({})).toMatchObject({
      task: expect.stringMatching(/^word=hello #[0-9a-f]{8}$/),
      id: 'row-1',
      scores: [
        { name: 'success', value: true, explanation: 'All assertions passed' },
        { name: 'score', value: 1 },
        { name: 'polite', value: 1, passed: true, explanation: 'Assertion passed' },
      ],
      messages: [{ role: 'user' }, { role: 'assistant', model: 'openai:gpt-x', parts: [{ text: 'hello' }] }],
      costs: [
        {
          name: 'openai:gpt-x',
          units: 1,
          usd: 0.002,
          usage: { promptTokens: 10, completionTokens: 2, reasoningTokens: 1 },
        },
      ],
      durationMs: 120,
      unsaid: {},
    });
  });

  it('M-37: gives as many runs as the file has results', () => {
    const rows = Array.from({ length: 7 }, (_, at) => row({ testIdx: at, success: at % 2 === 0 }));
    expect(Object.values(read(rows).sets).flat()).toHaveLength(rows.length);
  });

  it('takes repeats for attempts, and tests that differ in what they assert for two', () => {
    const other = { ...row().testCase, assert: [{ type: 'equals', value: 'hello' }] };
    const { sets } = read([row(), row({ testIdx: 1 }), row({ testIdx: 2, testCase: other })]);
    const [first, second, third] = (sets['openai:gpt-x'] ?? []).map(({ task }) => task);
    expect([second === first, third === first]).toEqual([true, false]);
  });

  it('makes a set of each provider and, where there are several, each prompt', () => {
    const prompt = { raw: 'x', label: `Long ${'prompt '.repeat(30)}` };
    const { sets } = read([
      row(),
      row({ provider: { id: 'b', label: 'B' } }),
      row({ promptIdx: 1, promptId: 'p2', prompt }),
      row({ promptIdx: 2, promptId: 'p3', prompt }),
    ]);
    const long = prompt.label.slice(0, 60);
    expect(Object.keys(sets)).toEqual([
      'openai:gpt-x: Say {{word}}',
      'B: Say {{word}}',
      `openai:gpt-x: ${long}…`,
      `openai:gpt-x: ${long}… (prompt 3)`,
    ]);
  });

  it('tells errors from failures, and answers of its cache from others', () => {
    expect(only({ success: false, failureReason: 2, error: 'API down' })).toMatchObject({
      error: 'API down',
      scores: [],
    });
    expect(only({ success: false, failureReason: 1, error: 'Expected x' }).error).toBeUndefined();
    const old = { failureReason: undefined, gradingResult: null, error: 'API down', success: false };
    expect(only(old)).toMatchObject({ error: 'API down' });
    const cached = only({ cost: 0, response: { output: 'x', cached: true, tokenUsage: { total: 12, cached: 12 } } });
    expect([cached.costs, cached.durationMs]).toEqual([undefined, undefined]);
    expect(Object.keys(cached.unsaid ?? {})).toEqual(['cost', 'usage', 'durationMs']);
  });

  it('reads prompts that are conversations, and answers that are no text', () => {
    const raw = JSON.stringify([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]);
    const { messages } = only({ prompt: { raw, label: raw }, response: { output: { a: 1 } } });
    expect(messages?.map(({ role, parts: [part] }) => [role, part])).toEqual([
      ['system', { kind: 'text', text: 'Be brief.' }],
      ['user', { kind: 'text', text: 'Hi' }],
      ['assistant', { kind: 'text', text: '{"a":1}' }],
    ]);
  });

  it('costs a broken row itself', () => {
    const text = evaluation([row(), row()]);
    const { sets, broken, problems } = importAll(promptfoo, sourceOf({ 'out.json': text.slice(0, text.length - 300) }));
    expect(sets['openai:gpt-x']).toHaveLength(1);
    expect([broken, problems]).toMatchObject([[expect.stringContaining('It is not JSON')], [{}]]);
  });

  it.skipIf(skipsWithout('promptfoo', PROGRAM))(
    'reads what promptfoo writes of four repeats',
    { timeout: 120_000 },
    async () => {
      const folder = await inFolder(
        process.execPath,
        (cwd) => {
          writeFileSync(path.join(cwd, 'promptfooconfig.json'), JSON.stringify(CONFIG));
          writeFileSync(path.join(cwd, 'down.mjs'), DOWN);
          return [
            '-e',
            RUN,
            PROGRAM,
            'eval',
            '-c',
            'promptfooconfig.json',
            '--repeat',
            '4',
            '--no-cache',
            '-o',
            'out.json',
          ];
        },
        {
          PROMPTFOO_DISABLE_TELEMETRY: '1',
          PROMPTFOO_DISABLE_UPDATE: '1',
          PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
        },
      );
      const source = sourceAt(path.join(folder, 'out.json'));
      expect(builtinImporters.find((one) => one.detects(source, {}))).toBe(promptfoo);
      const { sets, broken, problems } = importAll(promptfoo, source);
      expect([broken, problems]).toEqual([[], []]);
      const seen = Object.entries(sets).map(([name, runs]) => [
        name,
        runs.map(({ task, error, scores: [score] }) => `${task.replace(/ #.*/, '')}: ${error ?? String(score?.value)}`),
      ]);
      const four = (text: string) => Array.from({ length: 4 }, () => text);
      expect(Object.fromEntries(seen)).toEqual({
        'echo: Say {{word}}': [...four('word=hello: true'), ...four('word=bye: true')],
        'echo: Repeat {{word}}': [...four('word=hello: false'), ...four('word=bye: true')],
        'down: Say {{word}}': [...four('word=hello: the server is down'), ...four('word=bye: the server is down')],
        'down: Repeat {{word}}': [...four('word=hello: the server is down'), ...four('word=bye: the server is down')],
      });
      // A test with a plugin is one of a red team: an attack of sessions, whatever asserts it had.
      expect(promptfooCases(JSON.parse(readFileSync(path.join(folder, 'out.json'), 'utf8')))).toEqual({
        cases: [{ payload: 'bye', plugin: 'hijacking', strategy: 'base64', isFirst: false }],
        left: 16,
      });
      const [echoed] = sets['echo: Say {{word}}'] ?? [];
      expect(new Set(sets['echo: Say {{word}}']?.map(({ task }) => task)).size).toBe(2);
      expect(echoed).toMatchObject({
        scores: [{ name: 'success' }, { name: 'score', value: 1 }, { name: 'says', value: 1, passed: true }],
        unsaid: { usage: 'the provider counts no tokens', cost: expect.any(String) },
      });
    },
  );
});

/** Runs the command, whose exit code says that tests failed. */
const RUN = `const { spawnSync } = require('node:child_process');
const { status, stderr, stdout } = spawnSync(process.execPath, process.argv.slice(1), { encoding: 'utf8' });
if (status !== 0 && status !== 100) { console.error(stdout, stderr); process.exit(1); }`;
