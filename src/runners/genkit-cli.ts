import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inOwnFolder } from '../effects/granted/own-folder.ts';
import { type ProgramEnd, runProgram } from '../effects/granted/run-program.ts';
import { LineCutter } from '../effects/granted/line-cutter.ts';
import { TextTail } from '../effects/granted/text-tail.ts';
import type { OpenRunner, RunnerStart } from '../plugin/runner-type.ts';
import type { JsonObject } from '../types/json.ts';
import type { ModelAnswer, ModelQuestion, ValidatorUse } from '../types/model-test.ts';
import { withAnySignal } from '../values/with-any-signal.ts';
import { orAborted } from '../values/unless-aborted.ts';
import { Asking } from './asking.ts';
import { commandProblems, findRunner, runnerEnv } from './start-program.ts';
import { Turns } from './turns.ts';

/** What the one test is called that the command is given at a time. */
const NAME = 'passk';
/** What its failure begins with. */
const VERDICT = `❌ Failed: ${NAME} - `;
/** It goes on without one. */
const NO_RUNTIME = 'Runtime not detected after';
/** It quotes the answer that it fails. */
const MOST_OUTPUT = 64 * 1024 * 1024;

// The command takes whatever server appears in the folder it runs in.
const turns = new Turns();

/** What is not granted or not there, as sentences; []: nothing. */
export function genkitCliProblems(start: RunnerStart): readonly string[] {
  const found = findRunner(genkitOf(start), start);
  return [...(found.kind === 'refused' ? [found.text] : []), ...commandProblems(start, start.entry, 'entry')];
}

/**
 * Has Genkit's own command `dev:test-model` ask and judge, one question at a time in this process. It starts the entry anew for
 * each, so that a test that hangs or dies costs no other one. It is first run without a question, to see that it works and that
 * the entry comes up. Rejects a question where the command gives no verdict: it exits with 0 after it has asked nothing.
 */
export async function openGenkitCli(start: RunnerStart): Promise<OpenRunner> {
  await turns.take(() => rehearse(start));
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  const ask = (question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer> => {
    const answer = turns.take(() =>
      withAnySignal([signal, closing.signal], async (until) => {
        until.throwIfAborted();
        // It does not show when the entry is up.
        const limitMs = start.startupTimeoutMs + question.timeoutMs;
        const asking = new Asking(question);
        const end = await runOnOwnPort(start, [specOf(question)], { timeoutMs: limitMs, signal: until });
        until.throwIfAborted();
        logLines(end, start.log);
        return answerIn(end, asking, { limitMs, scrub: start.scrub });
      }),
    );
    running.add(answer);
    void answer.catch(() => undefined).then(() => running.delete(answer));
    return orAborted(answer, signal);
  };

  return {
    atOnce: 1,
    ask,
    close: async () => {
      closing.abort(new Error('It was closed.'));
      await Promise.allSettled(running);
    },
  };
}

/** Where it is installed with the project, that one. */
function genkitOf({ cwd }: RunnerStart): string {
  for (let at = cwd; ; at = path.dirname(at)) {
    const local = path.join(at, 'node_modules', '.bin', 'genkit');
    if (existsSync(local)) return local;
    if (path.dirname(at) === at) return 'genkit';
  }
}

/** Throws a sentence where the command does not work, or the entry does not come up. */
async function rehearse(start: RunnerStart): Promise<void> {
  const { startupTimeoutMs, signal, scrub, log } = start;
  const end = await runOnOwnPort(start, [], { timeoutMs: startupTimeoutMs, signal });
  signal.throwIfAborted();
  logLines(end, log);
  const last = lastLines(end, scrub);
  if (end.cut === 'time') throw new Error(`genkit did not start the entry within ${startupTimeoutMs} ms${last}.`);
  const [passed, failed] = countsIn(end.stdout.toString('utf8')) ?? [];
  if (end.exitCode !== 0 || passed !== 0 || failed !== 0) throw new Error(`genkit did not run${last}.`);
  if (end.stdout.includes(NO_RUNTIME)) throw new Error(`genkit found no server of the entry${last}.`);
}

function specOf({ model, input, stream, validators }: ModelQuestion): JsonObject {
  return { model, tests: [{ name: NAME, input, stream, validators: validators.map(writtenAs) }] };
}

interface RunLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How often the command is run before a port that is taken is the entry's own mistake. */
const MOST_RUNS = 4;

/** The entry looks for a free port and takes it a moment later, so that two that start at once may take the same one. */
async function runOnOwnPort(start: RunnerStart, specs: readonly JsonObject[], limits: RunLimits): Promise<ProgramEnd> {
  let end = await runGenkit(start, specs, limits);
  for (let runs = 1; runs < MOST_RUNS && hasLostPort(end) && !limits.signal.aborted; runs++) {
    end = await runGenkit(start, specs, limits);
  }
  return end;
}

function hasLostPort(end: ProgramEnd): boolean {
  const wasJudged = end.cut !== null || end.exitCode === 0 || verdictIn(end) !== undefined;
  return !wasJudged && (end.stdout.includes('EADDRINUSE') || end.stderr.includes('EADDRINUSE'));
}

function runGenkit(
  start: RunnerStart,
  specs: readonly JsonObject[],
  { timeoutMs, signal }: RunLimits,
): Promise<ProgramEnd> {
  const found = findRunner(genkitOf(start), start);
  if (found.kind === 'refused') throw new Error(found.text);
  const { command, entry, cwd } = start;
  return inOwnFolder(async (folder) => {
    const file = path.join(folder, 'spec.json');
    await writeFile(file, JSON.stringify(specs));
    return runProgram({
      ...found.program,
      args: [...FLAGS, '--from-file', file, '--', ...command, entry ?? ''],
      folder,
      cwd,
      env: runnerEnv(start),
      timeoutMs,
      mostOutput: MOST_OUTPUT,
      ends: [signal],
    });
  });
}

/** Nobody is asked for consent, and nobody asks elsewhere for newer versions. */
const FLAGS = ['dev:test-model', '--non-interactive', '--no-update-notification'];

function writtenAs({ type, argument }: ValidatorUse): string {
  return argument === null ? type : `${type}:${argument}`;
}

interface ReadAs extends Pick<RunnerStart, 'scrub'> {
  readonly limitMs: number;
}

function answerIn(end: ProgramEnd, asking: Asking, { limitMs, scrub }: ReadAs): ModelAnswer {
  if (end.cut === 'time') return asking.timedOut(limitMs);
  if (end.cut === 'output') return asking.refused({ message: 'genkit printed more than can be read', code: null });
  const failure = verdictIn(end);
  if (failure === undefined) throw new Error(`genkit gave no verdict${lastLines(end, scrub)}.`);
  if (HIDDEN.test(failure ?? '')) {
    return asking.refused({ message: 'The entry answered with an error that genkit does not show', code: null });
  }
  // What a model or its plug-in throws is printed with its stack, what a validator says without one.
  const thrown = /^(?:Error: |[A-Za-z]+Error\b|Traceback\b)/.test(failure ?? '');
  if (failure === null || !thrown) return asking.judged(failure);
  const [message = failure] = failure.split(/\n\s+at /);
  return asking.refused({ message: message.replace(/^Error: /, ''), code: null });
}

/** What it prints of an error without a stack, such as Python's: all but the message. */
const HIDDEN = /^\{.*"traceId":.*\}$/;

/** Why the test failed; null: it passed; undefined: it was not judged. */
export function verdictIn({ exitCode, stdout }: Pick<ProgramEnd, 'exitCode' | 'stdout'>): string | null | undefined {
  const text = stdout.toString('utf8');
  const [passed, failed, end] = countsIn(text) ?? [];
  if (exitCode === 0 && passed === 1 && failed === 0) return null;
  if (exitCode !== 1 || passed !== 0 || failed !== 1) return undefined;
  const at = text.indexOf(VERDICT);
  return at === -1 ? undefined : text.slice(at + VERDICT.length, end).trimEnd();
}

/** How many tests passed and failed, and where that stands; null: nowhere. */
function countsIn(text: string): readonly [number, number, number] | null {
  // A model's words may hold lines like these: those of the command come last, and its exit code agrees with them.
  const [last] = [...text.matchAll(/^-{50}\r?\nTests Completed: (\d+) Passed, (\d+) Failed$/gm)].slice(-1);
  return last === undefined ? null : [Number(last[1]), Number(last[2]), last.index];
}

/** What the command says each time, or wherever another of its kind runs. */
const USUAL =
  /^(?:Indexed \d+ traces|Port \d+ is already in use, using next |Telemetry API running|All \d+ model actions|Testing model: |Running test: |✅ Passed: |-{50}$|Tests Completed: )/;

/** What the entry printed, and what the command does not say each time. */
function logLines({ stdout, stderr }: ProgramEnd, log: (line: string) => void): void {
  const verdict = stdout.indexOf(VERDICT);
  const printed = verdict === -1 ? stdout : stdout.subarray(0, stdout.lastIndexOf('\n', verdict) + 1);
  for (const bytes of [printed, stderr]) {
    const lines = new LineCutter((line) => {
      if (!USUAL.test(line)) log(line);
    });
    lines.add(bytes);
    lines.end();
  }
}

function lastLines({ stdout, stderr }: ProgramEnd, scrub: (text: string) => string): string {
  const tail = new TextTail();
  tail.add(stdout);
  tail.add(stderr);
  const lines = tail.text(scrub);
  return lines === '' ? '' : `; its last lines: ${lines}`;
}
