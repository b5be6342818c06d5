import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runSuite } from '../../src/index.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-failed-tokens-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const hasPython = existsSync('/usr/bin/python3') || existsSync('/usr/local/bin/python3');
const skipsPython = !hasPython && !(process.env['PASSK_REQUIRE'] ?? '').split(',').includes('python');

let count = 0;

/** Why the one trial of an agent failed, and the tokens that it took. */
async function failureOf(agent: string): Promise<readonly [string | undefined, unknown, unknown]> {
  const file = `a${count++}.toml`;
  const text = `name = "desk"
trials = 1
[session]
[[agents]]
name = "mine"
${agent}
[[tasks]]
name = "say"
[tasks.user]
opening = "Hello."
[tasks.expected]
says = ["Hello."]
`;
  writeFileSync(path.join(cwd, file), text);
  const run = ['agent.mjs', 'agent.py', 'python3', process.execPath];
  const { scenarios } = await runSuite({ cwd, paths: [file], workers: 0, permissions: { run } });
  const [{ failures, cost }] = scenarios as unknown as readonly [
    { failures: readonly { reason: string }[]; cost: { total: Record<string, unknown> } },
  ];
  return [failures[0]?.reason, cost.total['promptTokens'], cost.total['completionTokens']];
}

test.each<[string, string, string, number | null, number | null]>([
  ['has', 'Object.assign(new Error("x"), { usage: { inputTokens: 30, outputTokens: 4 } })', 'x', 30, 4],
  ['holds a run that has', 'Object.assign(new Error("x"), { state: new Run() })', 'x', 30, 4],
  ['comes of one that has', 'new Error("y", { cause: Object.assign(new Error(), new Run().held) })', 'y', 30, 4],
  [
    'has none, or has not counted',
    'Object.assign(new Error("x"), { usage: { inputTokens: 0, outputTokens: 0 } })',
    'x',
    null,
    null,
  ],
])('tokens are counted that the error of a module %s', async (_, thrown, why, prompt, completion) => {
  const code = `class Run {
  get usage() { return { requests: 2, inputTokens: 30, outputTokens: 4 }; }
  held = { usage: this.usage };
}
export default () => () => { throw ${thrown}; };
`;
  writeFileSync(path.join(cwd, 'agent.mjs'), code);
  expect(await failureOf('module = "agent.mjs"')).toEqual([
    expect.stringMatching(new RegExp(`^It failed at .*: ${why}$`)),
    prompt,
    completion,
  ]);
});

test('tokens are counted that a program tells before it fails', async () => {
  writeFileSync(
    path.join(cwd, 'fails.mjs'),
    'console.log(JSON.stringify({ answer: "", usage: { prompt_tokens: 30, completion_tokens: 4 } }));\nprocess.exitCode = 3;\n',
  );
  const agent = `command = [${JSON.stringify(process.execPath)}, "fails.mjs"]\nstateless = true\nresponse_path = "answer"`;
  expect(await failureOf(agent)).toEqual([expect.stringContaining('exit code 3'), 30, 4]);
});

const PYTHON = `
class Usage:
    def __init__(self):
        self.input_tokens, self.output_tokens = 30, 4
    def model_dump(self, **asked):
        return vars(self)

class Context:
    usage = Usage()

class RunData:
    context_wrapper = Context()

class SpentError(Exception):
    def __init__(self):
        super().__init__("too many turns")
        self.run_data = RunData()

class Event:
    def __init__(self):
        self.content = "One moment."
        self.usage_metadata = {"promptTokenCount": 15, "candidatesTokenCount": 2}

def raises(message):
    raise SpentError()

def raises_another(message):
    try:
        raises(message)
    except SpentError as error:
        raise ValueError("no answer")

def breaks_off(message):
    yield Event()
    yield Event()
    raise ValueError("no answer")

class Stream:
    context_wrapper = Context()
    async def stream_events(self):
        yield 1
        raise ValueError("no answer")

def streams(message):
    return Stream()

def knows_nothing(message):
    raise ValueError("no answer")
`;

test.skipIf(skipsPython).each<[string, string, number | null, number | null]>([
  ['raises', 'SpentError: too many turns', 30, 4],
  ['raises_another', 'ValueError: no answer', 30, 4],
  ['breaks_off', 'ValueError: no answer', 30, 4],
  ['streams', 'ValueError: no answer', 30, 4],
  ['knows_nothing', 'ValueError: no answer', null, null],
])('tokens are counted that a Python callable took before it failed: %s', async (name, why, prompt, completion) => {
  writeFileSync(path.join(cwd, 'failing.py'), PYTHON);
  const agent = `type = "python"\nendpoint = "failing:${name}"\nstateless = true`;
  expect(await failureOf(agent)).toEqual([`It gave no answer: ${why}`, prompt, completion]);
});
