import path from 'node:path';
import type { OpenRunner, RunnerStart } from '../plugin/runner-type.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { ModelAnswer, ModelQuestion } from '../types/model-test.ts';
import { listAt } from '../values/json-fields.ts';
import type { Asking } from './asking.ts';
import { LinePeer } from './line-peer.ts';
import { PeerRunner } from './peer-runner.ts';
import { commandProblems, runnerEnv, runtimeCommand } from './start-program.ts';

export function nativeProblems(start: RunnerStart): readonly string[] {
  return commandProblems(start, start.executor, 'native executor');
}

/**
 * Asks a native executor: a program that gets one request a line on its input and gives one reply a line on its output. One
 * that sends back the `id` of requests is asked several things at a time, any other one.
 */
export async function openNative(start: RunnerStart): Promise<OpenRunner> {
  const { program, args } = runtimeCommand(start);
  const { executor, plugin, cwd, env, startupTimeoutMs } = start;
  const modules = [path.join(cwd, 'node_modules'), env['NODE_PATH'] ?? ''].filter(Boolean).join(path.delimiter);
  const peer = {
    what: 'The native executor',
    program,
    args: [...args, executor ?? '', '--plugin', plugin],
    cwd,
    env: { ...runnerEnv(start), NODE_PATH: modules },
    wire: 'stdio',
    scrub: start.scrub,
    onLine: start.log,
    startupTimeoutMs,
    cancels: false,
  } as const;
  return PeerRunner.open(start, {
    start: (signal) => LinePeer.open(peer, signal),
    requestOf: ({ model, input, stream }) => ({ model, input, stream }),
    answerIn: nativeAnswer,
  });
}

/** `{ response, chunks, error? }`: an `error` that says something is one, whatever else is there. */
function nativeAnswer(asking: Asking, message: JsonObject, { stream }: ModelQuestion): ModelAnswer {
  const { response = null, error, code } = message;
  if (stream) asking.chunks(listAt(message, 'chunks') as readonly Json[]);
  if (error === undefined || error === null || error === '' || error === false) return asking.answer(response);
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return asking.refused({ message: text, code: typeof code === 'string' || typeof code === 'number' ? code : null });
}
