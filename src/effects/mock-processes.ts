import type { Answer, ProcessRequest } from '../plugin/request.ts';
import { BoundedMemo } from '../policy/bounded-memo.ts';
import { splitPath } from '../policy/canonical-path.ts';
import { visibleText } from '../policy/visible-text.ts';
import type { MockProcess } from '../types/scenario.ts';
import { brokenAnswer, errorAnswer, keptAnswer, valueAnswer } from './answers.ts';

const OUTPUT_BYTES = 64 << 10;
const KILLED = 9;

/**
 * Answers for `[[world.processes]]`: the first entry whose command, and arguments where it names some, fit.
 * One that takes longer than the request allows is killed at its limit, without output.
 */
export function mockProcesses(
  mocks: readonly MockProcess[],
  resolvePath: (path: string) => string,
): (request: ProcessRequest) => Answer {
  const compiled = mocks.map((mock) => ({ mock, command: resolvePath(mock.command) }));
  const kept = new BoundedMemo<Answer>();

  return (request) => {
    const parts = splitPath(request.command);
    if ('problem' in parts || parts.isRelative) {
      return errorAnswer(`shell_run requires an absolute path, not \`${visibleText(request.command)}\``, 'mock');
    }
    const command = resolvePath(request.command);
    const index = compiled.findIndex((entry) => entry.command === command && fits(entry.mock, request.args));
    const mock = compiled[index]?.mock;
    if (mock === undefined) {
      return brokenAnswer(
        `Nothing answers shell_run \`${visibleText([request.command, ...request.args].join(' '))}\`. ` +
          `Declare [[world.processes]] with command = "${visibleText(request.command)}".`,
      );
    }
    const key = JSON.stringify([index, request.timeoutMs, request.command, request.args]);
    return kept.get(key) ?? keep(kept, key, processAnswer(mock, request));
  };
}

function fits(mock: MockProcess, args: readonly string[]): boolean {
  const declared = mock.args;
  if (declared === undefined) return true;
  return declared.length === args.length && declared.every((arg, index) => arg === args[index]);
}

function keep(kept: BoundedMemo<Answer>, key: string, answer: Answer): Answer {
  return BoundedMemo.keeps(key) ? kept.set(key, keptAnswer(answer)) : answer;
}

function processAnswer(mock: MockProcess, { command, args, timeoutMs }: ProcessRequest): Answer {
  const timedOut = mock.delayMs > timeoutMs;
  const durationMs = timedOut ? timeoutMs : mock.delayMs;
  const stdout = cap(timedOut ? '' : mock.stdout);
  const stderr = cap(timedOut ? '' : mock.stderr);
  const output = {
    command,
    args,
    exit_code: timedOut ? -1 : mock.exitCode,
    signal: timedOut ? KILLED : null,
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: stdout.truncated || stderr.truncated,
    timed_out: timedOut,
    duration_ms: durationMs,
  };
  return valueAnswer(output, 'mock', durationMs * 1000);
}

function cap(text: string): { readonly text: string; readonly truncated: boolean } {
  if (Buffer.byteLength(text) <= OUTPUT_BYTES) return { text, truncated: false };
  // Whole characters only: a cut one would come back as a replacement character.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(OUTPUT_BYTES));
  return { text: text.slice(0, read), truncated: true };
}
