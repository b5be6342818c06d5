import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Agent, AgentTarget } from '../../src/types/agent.ts';
import { allGone } from '../support/processes.ts';
import { answerOf, aTarget, error, FIXTURES, text } from './a-target.ts';

const hasPython = existsSync('/usr/bin/python3') || existsSync('/usr/local/bin/python3');
/** Tests that need Python skip without it, unless it is required (`PASSK_REQUIRE`). */
const skipsPython = !hasPython && !(process.env['PASSK_REQUIRE'] ?? '').split(',').includes('python');

const signal = new AbortController().signal;
const FILE = path.join(FIXTURES, 'agents.mjs');
const node = (exported: string, overrides: Partial<Agent> = {}) =>
  aTarget({ target: { kind: 'module', file: 'agents.mjs', exported, inputKey: null }, ...overrides }, { run: [FILE] });
const python = (
  attribute: string,
  overrides: Partial<Agent> & Partial<Extract<AgentTarget, { kind: 'python' }>> = {},
) => {
  const { module = 'py_agents', langchain = false, ...agent } = overrides;
  return aTarget(
    { target: { kind: 'python', module, attribute, langchain, inputKey: null }, ...agent },
    { run: ['python3'] },
  );
};
const shell = (script: string, overrides: Partial<Agent> = {}, variables = {}) =>
  aTarget(
    { target: { kind: 'command', command: ['sh', '-c', script] }, ...overrides },
    { run: ['sh'], env: Object.keys(variables), variables },
  );

/** An agent that counts what it was asked, and fails at one prompt. */
async function expectStartedAnew(target: ReturnType<typeof aTarget>, prompt: string, why: string): Promise<void> {
  const answers = [
    await answerOf(target.ask('a')),
    await answerOf(target.ask(prompt)),
    await answerOf(target.ask('a')),
  ];
  expect(answers).toEqual([
    text('asked 1 times'),
    error(`${why} It is started anew, without what it remembered`),
    text('asked 1 times'),
  ]);
  expect(target.restarts?.()).toBe(1);
}

describe('a command', () => {
  test('reads the prompt from its standard input, and answers on its output', async () => {
    expect(await answerOf(shell('cat; echo " end"; echo noise >&2').ask('line one\nline "two"'))).toEqual(
      text('line one\nline "two" end'),
    );
  });

  test('runs beside the contract, with granted variables alone', async () => {
    const { text: said } = await shell('pwd; env | cut -d= -f1 | sort | tr "\\n" " "', {}, { GRANTED: '1' }).ask('');
    expect(said.split('\n')).toEqual([FIXTURES, 'GRANTED HOME LANG PATH PWD TMPDIR ']);
  });

  test('does not give away the variables that it is granted', async () => {
    const variables = { API_KEY: 'sk-0123456789' };
    expect(await answerOf(shell('echo "key $API_KEY"', {}, variables).ask(''))).toEqual(text('key [secret API_KEY]'));
    expect(await answerOf(shell('echo "key $API_KEY" >&2; exit 3', {}, variables).ask(''))).toEqual(
      error('it ended with exit code 3: key [secret API_KEY]'),
    );
  });

  test('that need not read its prompt still answers', async () => {
    expect(await answerOf(shell('echo yes').ask('x'.repeat(1 << 20)))).toEqual(text('yes'));
  });

  test('fails with its exit code and the end of what it wrote', async () => {
    expect(await answerOf(shell('echo part; echo "no plan" >&2; exit 3').ask(''))).toEqual(
      error('it ended with exit code 3: no plan'),
    );
  });

  test('that does not end is ended, with all that it started', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'passk-command-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'pid');
    const agent = shell(`sleep 3600 & echo $! > ${file}; wait`, { timeoutMs: 1500 });
    expect(await answerOf(agent.ask(''))).toEqual(error('timed out after 1500 ms: it did not end, and was ended'));
    expect(await allGone([Number(readFileSync(file, 'utf8'))])).toBe(true);
  });

  test('that prints too much is ended', async () => {
    expect(await answerOf(shell('yes').ask(''))).toEqual(error('it printed more than 1048576 bytes'));
  });

  test('needs the flag that grants its program', () => {
    const target = { kind: 'command', command: ['sh', '-c', 'true'] } as const;
    expect(() => aTarget({ target })).toThrow('The program sh needs --allow-run=sh.');
    expect(() => aTarget({ target: { ...target, command: ['no-such-program'] } }, { run: true })).toThrow(
      'There is no program no-such-program; name one in /usr/local/bin:/usr/bin:/bin or by its path.',
    );
  });
});

describe('a JavaScript module', () => {
  test.each([
    ['default', 'echo: hi'],
    ['later', 'later: hi'],
    ['runnable', 'part one, hi'],
    ['graph', 'last: hi'],
    ['value', '{"list": [1, "two", null], "of": "hi"}'],
    ['nothing', ''],
    ['streams', 'in pieces: hi'],
    ['bytes', 'in bytes: hi'],
    ['response', 'in a response: hi'],
    ['textStream', 'in a text stream: hi'],
    ['floods', 'answered'],
    ['variables', 'HOME LANG PATH TMPDIR'],
  ])('answers by its export %s', async (exported, answer) => {
    expect(await answerOf(node(exported).ask('hi'))).toEqual(text(answer));
  });

  test('that throws has no answer, and stays', async () => {
    const target = node('breaks');
    expect([await answerOf(target.ask('a')), target.restarts?.()]).toEqual([
      error('TypeError: no plan for this (agents.mjs:15:9)'),
      0,
    ]);
  });

  test('keeps what it remembers until its function is called that makes it forget', async () => {
    const target = node('count', { reset: { kind: 'function', module: 'agents.mjs', attribute: 'forget' } });
    const before = [await answerOf(target.ask('a')), await answerOf(target.ask('a'))];
    await target.reset?.(signal);
    expect([...before, await answerOf(target.ask('a'))].map((answer) => answer.text)).toEqual([
      'asked 1 times',
      'asked 2 times',
      'asked 1 times',
    ]);
  });

  test.each([
    ['hangs', 'hang', 'timed out after 3000 ms: it did not answer, and was ended.'],
    ['exits', 'exit', 'its process ended with exit code 3.'],
  ])('that %s is started anew, without what it remembered', async (exported, prompt, why) => {
    await expectStartedAnew(node(exported, { timeoutMs: 3000 }), prompt, why);
  });

  test('that never answers has timed out', async () => {
    const { error: why } = await node('never', { timeoutMs: 500 }).ask('a');
    expect(why).toMatch(/^timed out after 500 ms: /);
  });

  test('that answers with more than can be read is an error', async () => {
    const { error: why } = await node('huge').ask('a');
    expect(why).toMatch(/^its process sent more than 4194304 bytes at once/);
  });

  test.each([
    ['missing', 'agents.mjs', /^The module .*agents\.mjs exports no "missing"\. It exports: Runnable, breaks, /],
    ['number', 'agents.mjs', /exports "number", which is neither a function nor has invoke\./],
    ['default', 'gone.mjs', /^The module .*gone\.mjs cannot be loaded: Error: Cannot find module /],
  ])('without a usable %s in %s says so', async (exported, file, why) => {
    const target = aTarget(
      { target: { kind: 'module', file, exported, inputKey: null } },
      { run: [path.join(FIXTURES, file)] },
    );
    await expect(target.ask('a')).rejects.toThrow(why);
  });

  test('that cannot be loaded is started once, however often it is asked', async () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'passk-starts-')));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'broken.mjs');
    const starts = path.join(folder, 'starts');
    writeFileSync(
      file,
      `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(starts)}, 'x');\nthrow new Error('out of order');\n`,
    );
    const target = aTarget(
      { target: { kind: 'module', file: path.relative(FIXTURES, file), exported: 'default', inputKey: null } },
      { run: [file] },
    );
    for (let call = 0; call < 3; call++) await expect(target.ask('a')).rejects.toThrow('out of order');
    expect(readFileSync(starts, 'utf8')).toBe('x');
  });

  test('needs the flag that grants its file', () => {
    expect(() =>
      aTarget({ target: { kind: 'module', file: 'agents.mjs', exported: 'default', inputKey: null } }),
    ).toThrow('The module agents.mjs needs --allow-run=agents.mjs.');
  });
});

describe.skipIf(skipsPython)('a Python callable', () => {
  test.each([
    ['echo', 'echo: hi'],
    ['later', 'later: hi'],
    ['instance', 'instance: hi'],
    ['invoked', 'invoked: hi'],
    ['holder.nested', 'echo: hi'],
    ['prints', 'answered'],
    ['table', '{"total": 1.0, "whole": 3, "ok": true, "name": "Zoë"}'],
    ['thing', "<class 'py_agents.Asynchronous'>"],
    ['streams', 'in pieces: hi'],
    ['streams_later', 'later, in pieces: hi'],
  ])('answers by %s', async (attribute, answer) => {
    expect(await answerOf(python(attribute).ask('hi'))).toEqual(text(answer));
  });

  test('of LangChain gets its input in a map, and gives its output out of one', async () => {
    expect(await answerOf(python('chain', { langchain: true }).ask('hi'))).toEqual(text('chain: hi'));
  });

  test('whose answer never comes to an end has none, and stays', async () => {
    expect(await answerOf(python('endless').ask('a'))).toEqual(
      error('ValueError: its answer comes in more than 100000 pieces'),
    );
  });

  test('that raises or exits has no answer, and stays', async () => {
    expect(await answerOf(python('breaks').ask('a'))).toEqual(error('ValueError: no plan for a'));
    expect(await answerOf(python('leaves').ask('a'))).toEqual(error('SystemExit: 4'));
    const nameless = python('fails_nameless');
    expect(await answerOf(nameless.ask('fail'))).toEqual(error('Nameless'));
    expect(nameless.restarts?.()).toBe(0);
  });

  test('that leaves a copy of its process behind is heard alone', async () => {
    const target = python('splits');
    for (const times of [1, 2, 3]) expect(await answerOf(target.ask('a'))).toEqual(text(`asked ${times} times`));
  });

  test.each([
    ['hangs', 'hang', 'timed out after 4000 ms: it did not answer, and was ended.'],
    ['dies', 'die', 'its process ended with exit code 5; its last lines: out of patience.'],
  ])('that %s is started anew, without what it remembered', async (attribute, prompt, why) => {
    await expectStartedAnew(python(attribute, { timeoutMs: 4000 }), prompt, why);
  });

  test('is reset by a function of Python', async () => {
    const reset = { kind: 'function', module: 'py_agents', attribute: 'forget' } as const;
    const target = python('count', { reset });
    await target.ask('a');
    await target.reset?.(signal);
    expect(await answerOf(target.ask('a'))).toEqual(text('asked 1 times'));
    const broken = python('count', { reset: { ...reset, attribute: 'breaks' } });
    await expect(broken.reset?.(signal)).rejects.toThrow('The agent could not be reset: TypeError: ');
  });

  test.each([
    [
      'no_such_module',
      'echo',
      /^There is no Python module "no_such_module" in .* or what .*python3.* has installed\.$/,
    ],
    ['py_agents', 'absent', 'The Python module "py_agents" has no "absent".'],
    ['py_agents', 'asked', 'The Python object "py_agents:asked" can neither be called nor has it invoke or run.'],
    [
      'py_broken',
      'echo',
      'The Python module "py_broken" cannot be imported: ModuleNotFoundError: No module named \'there_is_no_such_module_anywhere\'.',
    ],
  ])('%s:%s that is not there says so', async (module, attribute, why) => {
    await expect(python(attribute, { module }).ask('a')).rejects.toThrow(why);
  });

  test('runs in the virtual environment whose interpreter is granted', async () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'passk-venv-')));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const made = spawnSync('/usr/bin/python3', ['-m', 'venv', '--without-pip', folder]);
    const interpreter = path.join(folder, 'bin', 'python3');
    // Some systems package it apart.
    if (made.status !== 0) return;
    const target = {
      kind: 'python',
      module: 'sys',
      attribute: 'prefix.__add__',
      langchain: false,
      inputKey: null,
    } as const;
    expect(await answerOf(aTarget({ target }, { run: [interpreter] }).ask('!'))).toEqual(text(`${folder}!`));
  });

  test('needs the flag that grants its interpreter', () => {
    const target = {
      kind: 'python',
      module: 'py_agents',
      attribute: 'echo',
      langchain: false,
      inputKey: null,
    } as const;
    expect(() => aTarget({ target })).toThrow('The program python3 needs --allow-run=python3.');
  });
});

test('an agent that passk starts is pointed at the proxy by the variables that clients read', async () => {
  const target = { kind: 'command', command: ['sh', '-c', 'echo $OPENAI_BASE_URL $HTTP_PROXY $no_proxy'] } as const;
  const proxied = aTarget({ target }, { run: ['sh'], proxyUrl: 'http://127.0.0.1:8123' });
  expect(await answerOf(proxied.ask(''))).toEqual(
    text('http://127.0.0.1:8123/v1 http://127.0.0.1:8123 127.0.0.1:8123'),
  );
});
