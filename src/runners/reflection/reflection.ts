import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenRunner, RunnerStart } from '../../plugin/runner-type.ts';
import type { ModelAnswer, ModelQuestion } from '../../types/model-test.ts';
import { messageOf } from '../../values/message-of.ts';
import { type Asking, askWithin, orAborted } from '../asking.ts';
import { Standing } from '../standing.ts';
import { commandProblems } from '../start-program.ts';
import { ReflectionChild } from './reflection-child.ts';
import { LostConnection, ReflectionHttp, urlProblem } from './reflection-http.ts';

export function reflectionProblems(start: RunnerStart): readonly string[] {
  if (start.url === null) return commandProblems(start, start.entry, 'entry');
  const problem = urlProblem(start.url, start.permissions.net);
  return problem === null ? [] : [problem];
}

/** Asks through the reflection server of a Genkit program: one that is started here, or one that runs already. */
export async function openReflection(start: RunnerStart): Promise<OpenRunner> {
  return start.url === null ? openChild(start) : openServer(start, start.url);
}

/** A program may define its models a little after its server is up: until then a model that it does not know is asked again. */
const SETTLE_MS = 2000;
const AGAIN_MS = 100;

async function openChild(start: RunnerStart): Promise<OpenRunner> {
  const standing = new Standing((closing) => ReflectionChild.open(start, closing));
  let last: ReflectionChild;
  try {
    last = await orAborted(standing.get(), start.signal);
  } catch (error) {
    await standing.close();
    throw error;
  }

  const ask = async (question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer> => {
    let child: ReflectionChild;
    try {
      child = await orAborted(standing.get(), signal);
    } catch (error) {
      return askWithin(question, signal, async (asking) => asking.died(messageOf(error)));
    }
    last = child;
    const lost = async (asking: Asking, error: LostConnection): Promise<ModelAnswer> => {
      const why = await child.whyOver();
      return asking.died(why === null ? `The connection to the entry broke: ${error.message}.` : `The entry ${why}.`);
    };
    const answer = await child.during(() =>
      askWithin(question, signal, (asking, until) => runSettled(child, { asking, question, until, lost })),
    );
    // A model that is cancelled leaves its program well; one that blocks it does not.
    const isBlocked = isTimedOut(answer) && !(await child.http.isWell(start.healthTimeoutMs, signal));
    if (isBlocked) standing.retire(child);
    return answer;
  };

  return { atOnce: null, ask, log: () => last.tail(), close: () => standing.close() };
}

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
    await sleep(AGAIN_MS);
  }
  const lost = async (asking: Asking, error: LostConnection): Promise<ModelAnswer> =>
    asking.died(`The connection to the server broke: ${error.message}.`);
  return {
    atOnce: null,
    ask: (question, signal) =>
      askWithin(question, signal, (asking, until) => run(http, { asking, question, until, lost })),
    log: () => '',
    close: () => http.close(),
  };
}

interface Run {
  readonly asking: Asking;
  readonly question: ModelQuestion;
  readonly until: AbortSignal;
  lost(asking: Asking, error: LostConnection): Promise<ModelAnswer>;
}

async function runSettled(child: ReflectionChild, given: Run): Promise<ModelAnswer> {
  for (;;) {
    const answer = await run(child.http, given);
    const isUnknown = answer.kind === 'problem' && answer.code === '404';
    if (!isUnknown || child.age > SETTLE_MS || given.until.aborted) return answer;
    await sleep(AGAIN_MS);
  }
}

async function run(http: ReflectionHttp, { asking, question, until, lost }: Run): Promise<ModelAnswer> {
  try {
    return await http.run(asking, question, until);
  } catch (error) {
    if (!(error instanceof LostConnection)) throw error;
    // Nobody reads why, where nobody waits.
    return until.aborted ? asking.died(error.message) : lost(asking, error);
  }
}

function isTimedOut(answer: ModelAnswer): boolean {
  return answer.kind === 'problem' && answer.why === 'timed_out';
}
