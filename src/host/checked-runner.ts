import { PasskError } from '../errors.ts';
import type { OpenRunner, RunnerStart, RunnerType } from '../plugin/runner-type.ts';
import { moduleOf } from '../plugin/type-taken.ts';
import { askWithin, untilLate } from '../runners/asking.ts';
import { isRecord } from '../values/is-json.ts';
import { failedText } from '../values/thrown-at.ts';
import { unlessAborted } from '../values/unless-aborted.ts';
import { readRunnerAnswer } from './runner-answer.ts';

/** What a runner itself ends in time needs not be ended here. */
const GRACE_MS = 1_000;
const CLOSING_MS = 10_000;

/**
 * A runner of a plug-in, of which nothing is taken for granted: what it throws and what it gives that is none is told with its
 * name and place, and what never answers is waited for no longer. `close` rejects where it is not closed.
 */
export function checkedRunner(type: RunnerType): RunnerType {
  const { kind, type: word, summary, judges, atOnce } = type;
  const calls = new RunnerCalls(type);
  return {
    kind,
    type: word,
    summary,
    ...(judges !== undefined && { judges }),
    ...(atOnce !== undefined && { atOnce }),
    async problems(start) {
      const problems = await calls.within('problems', start, () => type.problems?.(start) ?? []);
      if (Array.isArray(problems) && problems.every((problem) => typeof problem === 'string')) return problems;
      throw calls.wrong(
        'problems',
        'it gave no list of texts',
        'It gives a list of sentences: [] where nothing is missing.',
      );
    },
    async open(start) {
      const opening = Promise.resolve().then(() => type.open(start));
      let runner: OpenRunner;
      try {
        runner = await calls.within('open', start, () => opening);
      } catch (error) {
        // Whatever is open once nobody waits for it any more is ended as well.
        opening.then((late) => calls.close(late)).catch(() => undefined);
        throw error;
      }
      const isOpen = isRecord(runner) && typeof runner.ask === 'function' && typeof runner.close === 'function';
      if (!isOpen) throw calls.wrong('open', 'it gave no object with the functions `ask` and `close`');
      return checkedOpen(runner, type, calls);
    },
  };
}

function checkedOpen(runner: OpenRunner, type: RunnerType, calls: RunnerCalls): OpenRunner {
  return {
    get atOnce() {
      // Modules in JavaScript leave out what is null.
      const atOnce = runner.atOnce ?? null;
      if (atOnce === null || (Number.isSafeInteger(atOnce) && atOnce > 0)) return atOnce;
      throw calls.wrong('open', '`atOnce` of what it gave is neither null nor a whole number from 1');
    },
    ask: (question, signal) =>
      askWithin(question, signal, async (asking, until) => {
        const answering = calls.call('ask', () => runner.ask(question, until));
        const answer = await unlessAborted(answering, until);
        if (answer !== 'aborted') return readRunnerAnswer(answer, question, type, (what) => calls.wrong('ask', what));
        answering.catch(() => undefined);
        return asking.timedOut();
      }),
    close: () => calls.close(runner),
  };
}

/** Calls the functions of a runner, and says of which one and whose it is what goes wrong. */
class RunnerCalls {
  readonly #type: RunnerType;

  constructor(type: RunnerType) {
    this.#type = type;
  }

  async call<T>(name: string, action: () => T | Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (cause) {
      throw new PasskError('PLUGIN', `${this.#called(name)} ${failedText(cause, new Error('here'))}`, { cause });
    }
  }

  /** Within the time for starting; rejects with the signal's reason where nobody waits any more. */
  async within<T>(
    name: string,
    { startupTimeoutMs, signal }: Pick<RunnerStart, 'startupTimeoutMs' | 'signal'>,
    action: () => T | Promise<T>,
  ): Promise<T> {
    const called = this.call(name, action);
    const result = await untilLate(startupTimeoutMs + GRACE_MS, signal, (until) => unlessAborted(called, until));
    if (result !== 'aborted') return result;
    called.catch(() => undefined);
    signal.throwIfAborted();
    throw this.wrong(
      name,
      `it did not end within ${startupTimeoutMs} ms`,
      'startup-timeout says how long it may take.',
    );
  }

  async close(runner: OpenRunner): Promise<void> {
    const closing = this.call('close', () => runner.close());
    const { signal } = new AbortController();
    const closed = await untilLate(CLOSING_MS, signal, (until) => unlessAborted(closing, until));
    if (closed !== 'aborted') return;
    closing.catch(() => undefined);
    throw this.wrong('close', `it did not end within ${CLOSING_MS} ms`);
  }

  wrong(name: string, what: string, hint = 'See docs/api.md for the shape of a runner.'): PasskError {
    return new PasskError('PLUGIN', `${this.#called(name)}: ${what}.`, { hint });
  }

  #called(name: string): string {
    const module = moduleOf(this.#type);
    return `\`${name}\` of the runner "${this.#type.type}"${module === null ? '' : ` in ${module}`}`;
  }
}
