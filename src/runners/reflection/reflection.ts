import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenRunner, RunnerStart } from '../../plugin/runner-type.ts';
import type { ModelAnswer, ModelQuestion } from '../../types/model-test.ts';
import { type Asking, askWithin } from '../asking.ts';
import { LostConnection, openEntry } from '../entry-runner.ts';
import { commandProblems } from '../start-program.ts';
import { startReflection } from './reflection-child.ts';
import { ReflectionHttp, urlProblem } from './reflection-http.ts';

export function reflectionProblems(start: RunnerStart): readonly string[] {
  if (start.url === null) return commandProblems(start, start.entry, 'entry');
  const problem = urlProblem(start.url, start.permissions.net);
  return problem === null ? [] : [problem];
}

/** Asks through the reflection server of a Genkit program: one that is started here, or one that runs already. */
export async function openReflection(start: RunnerStart): Promise<OpenRunner> {
  if (start.url !== null) return openServer(start, start.url);
  return openEntry(start, (closing) => startReflection(start, closing));
}

const POLL_MS = 100;

async function openServer(start: RunnerStart, url: string): Promise<OpenRunner> {
  const { permissions, env, healthTimeoutMs, startupTimeoutMs, signal } = start;
  const http = await ReflectionHttp.open(url, permissions.net, env['GENKIT_REFLECTION_SECRET_TOKEN']);
  const givenUpAt = performance.now() + startupTimeoutMs;
  while (!(await http.isWell(healthTimeoutMs, signal))) {
    if (signal.aborted || performance.now() >= givenUpAt) {
      await http.close();
      signal.throwIfAborted();
      throw new Error(`No healthy reflection server answers at ${url} within ${startupTimeoutMs} ms.`);
    }
    await sleep(POLL_MS);
  }
  const run = async (asking: Asking, question: ModelQuestion, until: AbortSignal): Promise<ModelAnswer> => {
    try {
      return await http.run(asking, question, until);
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error;
      return asking.died(`The connection to the server broke: ${error.message}.`);
    }
  };
  return {
    atOnce: null,
    ask: (question, signal) => askWithin(question, signal, (asking, until) => run(asking, question, until)),
    close: () => http.close(),
  };
}
