import { compileProcessMatch } from '../matching/process-match.ts';
import type { Answer, ProcessRequest } from '../plugin/request.ts';
import { BoundedMemo } from '../policy/bounded-memo.ts';
import { splitPath } from '../policy/canonical-path.ts';
import { visibleText } from '../text/visible-text.ts';
import type { MockProcess, ProcessReply } from '../types/mock.ts';
import { brokenAnswer, errorAnswer, keptAnswer, valueAnswer } from './answers.ts';
import { type MockSlots, type MockUses, type ServedMock, serveMock, takeAnswer } from './mock-uses.ts';
import { processErrorText } from './outside-errors.ts';
import { processOutput } from './process-output.ts';

const KILLED = 9;

interface Compiled extends ServedMock<ProcessReply> {
  readonly fits: (request: ProcessRequest) => boolean;
}

/**
 * Answers for `[[world.processes]]`: the first entry whose command and arguments fit and which has a reply left. A
 * program that takes longer than the request allows is killed at its limit, without output.
 */
export function mockProcesses(
  mocks: readonly MockProcess[],
  slots: MockSlots,
  resolvePath: (path: string) => string,
): (request: ProcessRequest, uses: MockUses) => Answer {
  const compiled: readonly Compiled[] = mocks.map((mock) => ({
    fits: compileProcessMatch(mock.match, resolvePath, '[[world.processes]]'),
    ...serveMock(mock, slots, { answer: (reply: ProcessReply) => reply, afterLast: GONE }),
  }));
  const replies = [...new Set(compiled.flatMap(({ answers }) => answers))];
  const numbers = new Map(replies.map((reply, number) => [reply, number]));
  const answerMemo = new BoundedMemo<Answer>();

  return (request, uses) => {
    const parts = splitPath(request.command);
    if ('problem' in parts || parts.isRelative) {
      return errorAnswer(`shell_run requires an absolute path, not \`${visibleText(request.command)}\``, 'mock');
    }
    const reply = takeAnswer<Compiled, ProcessReply>(compiled, uses, (mock) => mock.fits(request));
    if (reply === undefined) {
      return brokenAnswer(
        `Nothing answers shell_run \`${visibleText([request.command, ...request.args].join(' '))}\`. ` +
          `Declare [[world.processes]] with command = "${visibleText(request.command)}", ` +
          `or allow the real program with --allow-run=${visibleText(request.command)}.`,
      );
    }
    const key = JSON.stringify([numbers.get(reply), request.timeoutMs, request.command, request.args]);
    return answerMemo.get(key) ?? keep(answerMemo, key, processAnswer(reply, request));
  };
}

/** What a program whose replies are used up does. */
const GONE: ProcessReply = {
  exitCode: 0,
  stdout: '',
  stderr: '',
  delayMs: 0,
  hangs: false,
  error: 'not_found',
};

function keep(answerMemo: BoundedMemo<Answer>, key: string, answer: Answer): Answer {
  return BoundedMemo.keeps(key) ? answerMemo.set(key, keptAnswer(answer)) : answer;
}

function processAnswer(reply: ProcessReply, { command, args, timeoutMs }: ProcessRequest): Answer {
  const { error, delayMs } = reply;
  if (error !== undefined) return errorAnswer(processErrorText(error, command), 'mock', 'tool', delayMs * 1000);
  const timedOut = reply.hangs || delayMs > timeoutMs;
  const durationMs = timedOut ? timeoutMs : delayMs;
  const signal = timedOut ? KILLED : (reply.signal ?? null);
  // A program that hangs has printed before; one that would have ended later has not come to it.
  const isSilent = timedOut && !reply.hangs;
  const output = processOutput(
    { command, args },
    {
      exitCode: reply.exitCode,
      signal,
      stdout: isSilent ? '' : reply.stdout,
      stderr: isSilent ? '' : reply.stderr,
      timedOut,
      durationMs,
    },
  );
  return valueAnswer(output, 'mock', durationMs * 1000);
}
