import type { Json } from '../types/json.ts';
import type {
  ForeignVerdict,
  GivenAnswer,
  ModelAnswer,
  ModelChunk,
  ModelProblem,
  ModelQuestion,
} from '../types/model-test.ts';
import { withAnySignal } from '../values/with-any-signal.ts';
import { judgeProblem, type Refusal } from './judge-problem.ts';

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** One question while its answer comes. */
export class Asking {
  readonly #question: ModelQuestion;
  readonly #startedAt = performance.now();
  readonly #chunks: ModelChunk[] = [];

  constructor(question: ModelQuestion) {
    this.#question = question;
  }

  /** Milliseconds since the question. */
  now(): number {
    return performance.now() - this.#startedAt;
  }

  /** A piece that has come, now or a little before. */
  chunk(chunk: Json, atMs = this.now()): void {
    this.#chunks.push({ atMs, chunk });
  }

  /** All pieces, where they come together. */
  chunks(chunks: readonly Json[]): void {
    this.#chunks.push(...chunks.map((chunk): ModelChunk => ({ atMs: null, chunk })));
  }

  answer(response: Json): GivenAnswer {
    return { kind: 'answer', response, chunks: this.#asked(), latencyMs: this.now() };
  }

  /** A runner judged the answer itself; `failure` null: it passed. */
  judged(failure: string | null): ForeignVerdict {
    return { kind: 'verdict', failure, chunks: null, latencyMs: this.now() };
  }

  /** It was refused. */
  refused(refusal: Refusal): ModelProblem {
    const judged = judgeProblem(refusal, Date.now());
    return {
      ...this.#problem('error', refusal.message === '' ? 'It failed without a word.' : refusal.message),
      ...judged,
    };
  }

  /** What answers has ended, which it may not do again. `message` is a sentence. */
  died(message: string): ModelProblem {
    return { ...this.#problem('died', message), transient: true };
  }

  /** `timeoutMs`: all the time that it had. */
  timedOut(timeoutMs = this.#question.timeoutMs): ModelProblem {
    const problem = this.#problem('timed_out', `It did not answer within ${timeoutMs} ms.`);
    // What ending it took is not the model's time.
    return { ...problem, transient: true, latencyMs: timeoutMs };
  }

  #problem(why: ModelProblem['why'], message: string): ModelProblem {
    const chunks = this.#asked();
    return {
      kind: 'problem',
      why,
      message,
      code: null,
      transient: false,
      retryAfterMs: null,
      chunks,
      latencyMs: this.now(),
    };
  }

  /** Pieces that nobody asked for are none. */
  #asked(): readonly ModelChunk[] | null {
    return this.#question.stream ? [...this.#chunks] : null;
  }
}

/**
 * Asks within the question's time. `exchange` ends what it began and settles when `until` is aborted: then its time is up, or
 * nobody waits any more. Rejects with the signal's reason in the latter case.
 */
export async function askWithin(
  question: ModelQuestion,
  signal: AbortSignal,
  exchange: (asking: Asking, until: AbortSignal) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  signal.throwIfAborted();
  const asking = new Asking(question);
  return untilLate(question.timeoutMs, signal, async (until) => {
    const answer = await exchange(asking, until);
    signal.throwIfAborted();
    return until.aborted ? asking.timedOut() : answer;
  });
}

/**
 * Settles as `work` does, whose signal is aborted when its time is up or when the other signal is. `AbortSignal.timeout` would
 * do, but on Node 20 one that only `AbortSignal.any` holds may be collected before its time.
 */
export async function untilLate<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS));
  try {
    return await withAnySignal([signal, late.signal], work);
  } finally {
    clearTimeout(timer);
  }
}
