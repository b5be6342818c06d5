import { afterEach, expect, test, vi } from 'vitest';
import { checkedRunner } from '../../src/host/checked-runner.ts';
import type { OpenRunner, RunnerStart, RunnerType } from '../../src/plugin/runner-type.ts';
import type { ModelQuestion } from '../../src/types/model-test.ts';

const RUNNING = new AbortController().signal;
// Of all that a runner starts with, only this is looked at here.
const START = { startupTimeoutMs: 2000, signal: RUNNING } as unknown as RunnerStart;
const QUESTION: ModelQuestion = { model: 'm', input: {}, stream: false, validators: [], timeoutMs: 3000 };
const ANSWER = { kind: 'answer', response: { message: {} }, chunks: null, latencyMs: 1 };
const PROBLEM = { kind: 'problem', why: 'error', message: 'No.', code: null, transient: false, latencyMs: 1 };
const never = () => new Promise<never>(() => undefined);

/** Plug-ins are not typed when they run. */
function aRunner(fields: object): RunnerType {
  const open = async () => ({ ask: async () => ANSWER, close: async () => undefined });
  return checkedRunner({ kind: 'runner', type: 'odd', summary: 'Odd.', open, ...fields } as unknown as RunnerType);
}

function opened(fields: object, more: object = {}): Promise<OpenRunner> {
  const open = async () => ({ ask: async () => ANSWER, close: async () => undefined, ...fields });
  return aRunner({ open, ...more }).open(START);
}

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  [null, 'it gave null in place of an answer'],
  ['hello', 'it gave a value of type string in place of an answer'],
  [{ ...ANSWER, kind: 'anwser' }, '`kind` of what it gave is none of "answer", "verdict" and "problem"'],
  [{ ...ANSWER, latencyMs: undefined }, '`latencyMs` of what it gave is no number from 0'],
  [{ ...ANSWER, latencyMs: -1 }, '`latencyMs` of what it gave is no number from 0'],
  [{ ...ANSWER, chunks: 'abc' }, '`chunks` of what it gave are neither null nor a list of { atMs, chunk }'],
  [{ ...ANSWER, chunks: [{ message: 5 }] }, '`chunks` of what it gave are neither null nor a list of { atMs, chunk }'],
  [{ ...ANSWER, response: undefined }, 'it gave an answer without a `response`, which is null where none came'],
  [{ ...ANSWER, response: { f() {} } }, 'what it gave is no plain data: it holds a function at "response.f"'],
  [
    { kind: 'verdict', failure: null, latencyMs: 1 },
    'it gave a verdict, and has no `judges` that say by which validators',
  ],
  [{ ...PROBLEM, why: 'broken' }, '`why` of its problem is none of "error", "timed_out" and "died"'],
  [{ ...PROBLEM, message: 5 }, '`message` of its problem is no text'],
  [{ ...PROBLEM, transient: undefined }, '`transient` of its problem is neither true nor false'],
  [{ ...PROBLEM, retryAfterMs: 'soon' }, '`retryAfterMs` of its problem is neither null nor a number from 0'],
])('a runner that answers with %j says nothing about the model: %s', async (answer, what) => {
  const { ask } = await opened({ ask: async () => answer });
  await expect(ask(QUESTION, RUNNING)).rejects.toMatchObject({
    code: 'PLUGIN',
    message: `\`ask\` of the runner "odd": ${what}.`,
  });
});

test('a runner that judges by itself gives verdicts, and no answer in their place', async () => {
  const judges = { judges: ['text-includes'] };
  const verdict = { kind: 'verdict', failure: null, latencyMs: 1 };
  const judging = await opened({ ask: async () => verdict }, judges);
  expect(await judging.ask(QUESTION, RUNNING)).toEqual({ ...verdict, chunks: null });
  const answering = await opened({}, judges);
  await expect(answering.ask(QUESTION, RUNNING)).rejects.toThrow('it gave an answer, and `judges` says');
});

test('what a runner throws is told with its function and line', async () => {
  const boom = (): never => {
    throw new Error('boom');
  };
  const place = /^`\w+` of the runner "odd" failed at checked-runner\.test\.ts:\d+:\d+: boom$/;
  await expect(aRunner({ open: boom }).open(START)).rejects.toThrow(place);
  await expect(aRunner({ problems: boom }).problems?.(START)).rejects.toThrow(place);
  await expect((await opened({ ask: boom })).ask(QUESTION, RUNNING)).rejects.toThrow(place);
  await expect((await opened({ close: boom })).close()).rejects.toThrow(place);
});

test('problems that are no list of texts, and what cannot be asked, are told', async () => {
  await expect(aRunner({ problems: () => 'no key' }).problems?.(START)).rejects.toThrow('it gave no list of texts');
  const noRunner = 'it gave no object with the functions `ask` and `close`';
  for (const open of [() => undefined, async () => ({ ask: async () => ANSWER })]) {
    await expect(aRunner({ open }).open(START)).rejects.toThrow(noRunner);
  }
  const none = await opened({ atOnce: 0 });
  expect(() => none.atOnce).toThrow('`atOnce` of what it gave is neither null nor a whole number from 1');
  expect((await opened({})).atOnce).toBe(null);
});

test('a runner that never comes to an end is waited for no longer than it may take', async () => {
  vi.useFakeTimers();
  const late = [
    aRunner({ open: never }).open(START),
    aRunner({ problems: never }).problems?.(START),
    opened({ close: never }).then(({ close }) => close()),
  ].map((work) => Promise.resolve(work).catch((error: Error) => error.message));
  const asked = opened({ ask: never }).then(({ ask }) => ask(QUESTION, RUNNING));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await Promise.all(late)).toEqual([
    '`open` of the runner "odd": it did not end within 2000 ms.',
    '`problems` of the runner "odd": it did not end within 2000 ms.',
    '`close` of the runner "odd": it did not end within 10000 ms.',
  ]);
  expect(await asked).toMatchObject({ kind: 'problem', why: 'timed_out', latencyMs: 3000 });
});

test('a runner that opens when nobody waits for it any more is closed', async () => {
  vi.useFakeTimers();
  const close = vi.fn(async () => undefined);
  let open: (runner: object) => void = () => undefined;
  const opening = aRunner({ open: () => new Promise((resolve) => (open = resolve)) }).open(START);
  const failed = expect(opening).rejects.toThrow('did not end');
  await vi.advanceTimersByTimeAsync(10_000);
  await failed;
  open({ ask: async () => ANSWER, close });
  await vi.advanceTimersByTimeAsync(0);
  expect(close).toHaveBeenCalledOnce();
});
