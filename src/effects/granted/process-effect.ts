import { setMaxListeners } from 'node:events';
import type { Answer, ProcessRequest } from '../../plugin/request.ts';
import { hasLoneSurrogate, WORKSPACE } from '../../policy/canonical-path.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Permissions } from '../../types/permissions.ts';
import { brokenAnswer, deniedAnswer, errorAnswer, valueAnswer } from '../answers.ts';
import type { Effect, EffectCall } from '../effect.ts';
import { OS_ERROR } from '../os-error.ts';
import { processOutput } from '../process-output.ts';
import { findProgram, refuseProgram } from './granted-programs.ts';
import { isExhaustion, osErrorText, systemCode } from './os-error-text.ts';
import { inOwnFolder } from './own-folder.ts';
import { MOST_OUTPUT, type ProgramEnd, runProgram } from './run-program.ts';

/** Linux's bound for one argument, its end included, and ours for all of them. */
const ARGUMENT_BYTES = 128 << 10;
const ARGUMENTS_BYTES = 1 << 20;
const POINTER_BYTES = 8;

const KILLED = 9;

// Of these, too, the machine is to blame, not the program.
const OUR_TROUBLE: readonly (string | null)[] = [null, 'EAGAIN', 'ENOSPC', 'EIO'];

/**
 * Programs of this machine, each in a new folder of its own, with nothing of passk's environment, and gone with all
 * it started before the answer is given. They are not sandboxed: what they do to the machine is done.
 */
export function createProcessEffect({ run }: Pick<Permissions, 'run'>): Effect<ProcessRequest> {
  const closing = new AbortController();
  // One listener for each program that runs.
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<Answer>>();

  const perform = async (request: ProcessRequest, call: EffectCall): Promise<Answer> => {
    const ends = [call.signal, closing.signal];
    if (closing.signal.aborted) return brokenAnswer(`${title(request)} was asked for after the run had ended.`);
    if (call.signal.aborted) return stopped(request);
    const refusal = refuseProgram(run, request.command);
    if (refusal !== null) return brokenAnswer(refusal);
    const badArgument = argumentError(request);
    if (badArgument !== null) return fail(badArgument);
    const found = findProgram(request.command);
    if (found.kind === 'failed') return fail(found.text);
    const denial = call.recheck({ ...request, command: found.judged });
    if (denial !== null) return deniedAnswer(denial);
    return await inOwnFolder(async (folder) => {
      const { command, args, timeoutMs } = request;
      const ended = await runProgram({ file: found.file, name: command, args, folder, timeoutMs, ends });
      return answer(request, ended, folder);
    });
  };

  return {
    refusal: ({ command }) => refuseProgram(run, command),
    perform: async (request, call) => {
      const answering = perform(request, call).catch((error: unknown) => failed(request, error));
      running.add(answering);
      try {
        return await answering;
      } finally {
        running.delete(answering);
      }
    },
    close: async () => {
      closing.abort();
      await Promise.all(running);
    },
  };
}

function answer(request: ProcessRequest, ended: ProgramEnd, folder: string): Answer {
  const { cut, durationMs, exitCode, isGone } = ended;
  if (!isGone) return brokenAnswer(`${title(request)}: a process that it started cannot be ended.`);
  if (cut === 'stop') return stopped(request);
  if (cut === 'output') return fail(`${title(request)}: killed, it printed more than ${MOST_OUTPUT} bytes`);
  // Reports name no folder of this machine.
  const text = (bytes: Buffer): string => bytes.toString('utf8').replaceAll(folder, WORKSPACE);
  const timedOut = cut === 'time';
  const output = processOutput(request, {
    exitCode,
    signal: timedOut ? KILLED : ended.signal,
    stdout: text(ended.stdout),
    stderr: text(ended.stderr),
    timedOut,
    durationMs,
  });
  return valueAnswer(output, 'effect');
}

/** Why no program can be given these arguments; null: it can. */
function argumentError(request: ProcessRequest): string | null {
  let total = Buffer.byteLength(request.command);
  for (const [index, arg] of request.args.entries()) {
    if (arg.includes('\0')) return `${title(request)}: argument ${index} contains a NUL character`;
    if (hasLoneSurrogate(arg)) return `${title(request)}: argument ${index} is not valid Unicode`;
    const bytes = Buffer.byteLength(arg) + 1;
    total += bytes + POINTER_BYTES;
    if (bytes > ARGUMENT_BYTES || total > ARGUMENTS_BYTES) {
      return `spawn ${visibleText(request.command)}: ${OS_ERROR.argumentsTooLong}`;
    }
  }
  return null;
}

function failed(request: ProcessRequest, error: unknown): Answer {
  const command = visibleText(request.command);
  const text = osErrorText(error);
  if (text === null || isExhaustion(error) || OUR_TROUBLE.includes(systemCode(error))) {
    return brokenAnswer(`${title(request)} cannot be started: ${text ?? String(error)}`);
  }
  return fail(`spawn ${command}: ${text}`);
}

function stopped(request: ProcessRequest): Answer {
  return errorAnswer(`${title(request)}: stopped, the time of the trial is up`, 'effect', 'timeout');
}

function fail(message: string): Answer {
  return errorAnswer(message, 'effect');
}

function title({ command }: ProcessRequest): string {
  return `shell_run \`${visibleText(command)}\``;
}
