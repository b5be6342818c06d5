import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runSuite, type SuiteReport } from '../../src/index.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-session-starts-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const hasPython = existsSync('/usr/bin/python3') || existsSync('/usr/local/bin/python3');
const skipsPython = !hasPython && !(process.env['PASSK_REQUIRE'] ?? '').split(',').includes('python');

let count = 0;

/** Sessions of 1,200 ms with a Python agent, whose second message begins when the first is answered. */
async function sessionsOf(code: string, { trials = 3, concurrency = 2 } = {}): Promise<SuiteReport> {
  const name = `a${count++}`;
  writeFileSync(path.join(cwd, `${name}.py`), code);
  writeFileSync(
    path.join(cwd, `${name}.toml`),
    `name = "${name}"
trials = ${trials}
timeout_ms = 1200
[agent]
type = "python"
endpoint = "${name}:answer"
request_template = '{"messages": {messages}, "session": "{session}"}'
[user]
opening = "Hello."
known = { name = { value = "Ada", asked = ["name"], says = "{{value}}." } }
[expected]
says = ["Welcome, Ada."]
`,
  );
  return runSuite({ cwd, paths: [`${name}.toml`], workers: 0, concurrency, permissions: { run: ['python3'] } });
}

const trialsOf = ({ scenarios: [one] }: SuiteReport) => (one as { readonly trials: object }).trials;

const LOADS = `
import os, time
time.sleep(1.5)
calls = 0

def answer(given):
    said = [message["content"] for message in given["messages"]]
    return "Welcome, Ada." if "Ada." in said else "What is your name?"
`;

describe.skipIf(skipsPython)('what a process of an agent takes to start is no part of a session', () => {
  test('which all of them may be asked for at once', async () => {
    const report = await sessionsOf(LOADS, { trials: 6, concurrency: 3 });
    expect([trialsOf(report), report.notices]).toEqual([expect.objectContaining({ executed: 6, passed: 6 }), []]);
  });

  test('also where one before it ended', async () => {
    // Every second session costs the process its life.
    const report = await sessionsOf(
      `${LOADS}
def ending(given):
    global calls
    calls += 1
    return os._exit(1) if calls == 3 else welcome(given)

welcome, answer = answer, ending
`,
      { trials: 4, concurrency: 1 },
    );
    expect(trialsOf(report)).toMatchObject({ executed: 4, passed: 2, failed: 2, broken: 0 });
    const [scenario] = report.scenarios as readonly { failures: readonly { reason: string }[] }[];
    expect(new Set(scenario?.failures.map(({ reason }) => reason))).toEqual(
      new Set([
        'It gave no answer: its process ended with exit code 1. It is started anew, without what it remembered',
      ]),
    );
  });
});

test.skipIf(skipsPython)('a session waits for room with its agent outside of its time', async () => {
  const report = await sessionsOf(
    'import time\ndef answer(given):\n    time.sleep(0.7)\n    return "Welcome, Ada."\n',
    { concurrency: 1 },
  );
  expect([trialsOf(report), report.notices]).toEqual([expect.objectContaining({ executed: 3, passed: 3 }), []]);
});

test.skipIf(skipsPython)('what an agent loads in its first call is time of that call, which is told', async () => {
  const report = await sessionsOf('import time\ndef answer(given):\n    time.sleep(5)\n', { concurrency: 1 });
  expect([trialsOf(report), report.notices]).toEqual([
    expect.objectContaining({ executed: 3, failed: 3 }),
    [
      {
        code: 'agent_restarted',
        severity: 'warning',
        message:
          'Sessions of a3.toml: the process of its agent ended and was started anew 2 times, without what it remembered.',
        hint: 'It was ended in its first call, which had no answer in time. What that loads is part of its time: load it where the module begins, or allow more time.',
      },
    ],
  ]);
});
