import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { PasskError } from '../errors.ts';
import type { OpenRunner, RunnerStart, RunnerType } from '../plugin/runner-type.ts';
import { backoffMs } from '../random/backoff.ts';
import { draw, hashText, STREAM } from '../random/draw.ts';
import { shortenSaid } from '../text/shorten-said.ts';
import type { Issue } from '../types/issue.ts';
import type { Json } from '../types/json.ts';
import type { ModelAnswer, ModelProblem, ModelRun, RetriedAttempt } from '../types/model-test.ts';
import type { ModelPlan } from '../types/plan.ts';
import { messageOf } from '../values/message-of.ts';
import { mapTexts } from '../values/map-texts.ts';
import type { QuestionTurns } from './question-turns.ts';
import type { RunnerLog } from './runner-log.ts';

export interface ModelQueueParts {
  readonly start: RunnerStart;
  readonly log: RunnerLog;
  readonly turns: QuestionTurns;
  /** Shared by all queues: those whose runners are open, the one that was asked least recently first. */
  readonly open: Set<ModelQueue>;
  /** Runners that are open at a time. */
  readonly mostOpen: number;
  /** Is told of a runner that cannot be closed. */
  readonly onNotice: (notice: Issue) => void;
}

export interface QueuedQuestion {
  readonly trial: number;
  /** True: nobody else asks meanwhile. */
  readonly alone: boolean;
}

/** A longer wait than this is not waited for, whoever asks for it. */
const LONGEST_WAIT_MS = 10 * 60_000;

/** Asks the models of one spec file through its runner, when it is their turn, and again what may pass by itself. */
export class ModelQueue {
  private readonly type: RunnerType;
  private readonly parts: ModelQueueParts;
  /** Null: it is not open. */
  private runner: Promise<OpenRunner> | null = null;
  /** Questions that the runner has, and those that wait until one of them ends. */
  private asking = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(type: RunnerType, parts: ModelQueueParts) {
    this.type = type;
    this.parts = parts;
  }

  /** Resolves to what the trial came to; rejects when that says nothing about the model. */
  ask(plan: ModelPlan, { trial, alone }: QueuedQuestion, signal: AbortSignal): Promise<ModelRun> {
    const { turns } = this.parts;
    return turns.within(async () => {
      const enter = (): Promise<() => void> => turns.enter({ scenario: plan.index, alone, signal });
      let leave: (() => void) | null = await enter();
      const release = (): void => {
        leave?.();
        leave = null;
      };
      try {
        return await this.attempts(plan, trial, {
          signal,
          // Who only waits lets others ask.
          pause: async (ms) => {
            release();
            await sleep(ms, undefined, { signal });
            leave = await enter();
          },
        });
      } finally {
        release();
      }
    });
  }

  async close(): Promise<void> {
    await this.closeRunner();
    this.parts.log.close();
  }

  private async attempts(
    { scenario, words }: ModelPlan,
    trial: number,
    { signal, pause }: { readonly signal: AbortSignal; readonly pause: (ms: number) => Promise<void> },
  ): Promise<ModelRun> {
    const { subject, timeoutMs } = scenario;
    const { model, test, retries } = subject;
    const { log } = this.parts;
    const before = log.lines;
    const retried: RetriedAttempt[] = [];
    for (let retry = 0; ; retry++) {
      const runner = await this.opened();
      const { input, stream, validators } = test;
      const question = { model, input, stream, validators, timeoutMs };
      const runnerAnswer = await this.inTurn(runner, signal, () => runner.ask(question, signal));
      const answer = this.shown(runnerAnswer);
      if (answer.kind !== 'problem' || retry >= retries.most || !mayPass(answer)) {
        // What was printed with the answer arrives on another pipe.
        await setImmediate();
        return { answer, retried, log: log.lines > before ? log.tail() : null };
      }
      const jitter = draw(words, trial, STREAM.jitter, hashText(`model:${test.id}`), retry) / 2 ** 32;
      const waitMs = Math.round(Math.max(backoffMs(retry, jitter, retries.baseDelayMs), answer.retryAfterMs ?? 0));
      const { why, code, message } = answer;
      retried.push({ why, code, message, waitedMs: waitMs });
      await pause(waitMs);
    }
  }

  /** Without secrets, which must reach no report and no cassette. A model's error may quote a whole request. */
  private shown(answer: ModelAnswer): ModelAnswer {
    // Plain data by its type.
    const shown = mapTexts(answer as unknown as Json, this.parts.start.scrub) as unknown as ModelAnswer;
    switch (shown.kind) {
      case 'answer':
        return shown;
      case 'verdict':
        return { ...shown, failure: shown.failure === null ? null : shortenSaid(shown.failure) };
      case 'problem':
        return { ...shown, message: shortenSaid(shown.message) };
    }
  }

  /** Asks when the runner takes one question more; how many it takes may change with what its process says of itself. */
  private async inTurn<T>(runner: OpenRunner, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    while (runner.atOnce !== null && this.asking >= runner.atOnce) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      signal.throwIfAborted();
    }
    this.asking++;
    try {
      return await ask();
    } finally {
      this.asking--;
      for (const wake of this.waiting.splice(0)) wake();
    }
  }

  private opened(): Promise<OpenRunner> {
    const { open } = this.parts;
    open.delete(this);
    open.add(this);
    this.runner ??= this.open();
    return this.runner;
  }

  /** Ends those that nobody asks now, until there is room for one more. */
  private async makeRoom(): Promise<void> {
    const { open, mostOpen } = this.parts;
    const idle = [...open].filter((queue) => queue !== this && !queue.parts.turns.isBusy);
    await Promise.all(idle.slice(0, Math.max(0, open.size - mostOpen)).map((queue) => queue.closeRunner()));
  }

  /** What does not start is tried once: every trial says why. */
  private async open(): Promise<OpenRunner> {
    await this.makeRoom();
    try {
      return await this.type.open(this.parts.start);
    } catch (error) {
      const { plugin } = this.parts.start;
      throw new PasskError(
        'POOL',
        `The ${this.type.type} runner of "${plugin}" does not start: ${this.scrubbed(error)}`,
      );
    }
  }

  /** What went wrong, without secrets. */
  private scrubbed(error: unknown): string {
    return this.parts.start.scrub(messageOf(error));
  }

  private async closeRunner(): Promise<void> {
    const { runner } = this;
    this.runner = null;
    this.parts.open.delete(this);
    const open = await runner?.catch(() => null);
    try {
      await open?.close();
    } catch (error) {
      // Whoever was asked has answered.
      const hint = 'What it started may still run.';
      this.parts.onNotice({ code: 'runner_not_closed', severity: 'warning', message: this.scrubbed(error), hint });
    }
  }
}

function mayPass({ transient, retryAfterMs }: ModelProblem): boolean {
  return transient && (retryAfterMs ?? 0) <= LONGEST_WAIT_MS;
}
