import { PasskError } from '../errors.ts';
import type { TrialProgram } from '../trial/program.ts';
import type { Tally } from '../trial/tally/tally.ts';
import type { Delta } from '../types/delta.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import { FailingScenarios } from './blocks/bail.ts';
import { type BlockSpan, scenarioAt, spansOf, trialsOf } from './blocks/block-grid.ts';
import { type CompileProgram, type ExecutorRunOptions, runsInline } from './executor.ts';
import { monotonicMs } from './monotonic-ms.ts';
import { runShort } from './run-short.ts';
import { SliceRunner } from './run-slices.ts';
import { encodeTally } from './tally/tally-codec.ts';
import { ThreadTurns } from './thread-turns.ts';
import { trialsIn } from './blocks/trials-in.ts';

const DELTA_MS = 100;

export interface InlineRunOptions extends ExecutorRunOptions {
  readonly compile: CompileProgram;
  isClosed(): boolean;
  /** Called between blocks with the speed so far: true ends the run there. */
  readonly handOver?: (speed: SpeedNote) => boolean;
  /** Told of blocks that take more work than this thread may do at a time, and are not run; absent: they are an error. */
  readonly leave?: (span: BlockSpan) => void;
  /** What follows, however this ended: nothing stands between it and whoever takes the deltas. Absent: nothing. */
  readonly after?: () => AsyncIterable<Delta>;
}

/** How fast the trials of one scenario were until now: told anew after each block. */
export interface SpeedNote {
  readonly scenario: number;
  /** Blocks of it that are done. */
  readonly toBlock: number;
  readonly trials: number;
  readonly tookMs: number;
}

/**
 * The blocks in order, in slices; ends early when aborted, closed, handed over, or, with `bail`, where the run ends. What
 * one trial could keep the thread for too long is left out.
 */
export async function* runInline(plan: RunPlan, options: InlineRunOptions): AsyncGenerator<Delta, void, undefined> {
  const spans = options.blocks ?? spansOf(plan);
  for (const span of spans) refuseForeign(scenarioAt(plan, span.scenario));
  const turn = new Turn(options, trialsIn(plan, spans));
  const isWanted = (run: InlineSpan, { scenario, toBlock }: BlockSpan): boolean =>
    run.block < Math.min(toBlock, options.closings?.closedAt(scenario) ?? toBlock);
  const leave = options.leave ?? refuseLong(plan);
  let prepared: Prepared | null = null;
  let isCut = false;
  const { bail = 0 } = options;
  const failing = new FailingScenarios(bail);
  for (const span of spans) {
    const scenario = scenarioAt(plan, span.scenario);
    isCut ||= turn.stopped();
    if (isCut) break;
    if (prepared?.scenario.index !== span.scenario) {
      const compiled = options.compile(scenario, { plugins: plan.plugins, callHost: null });
      // Small scenarios are many: nothing is waited for that is there already.
      const program = compiled instanceof Promise ? await compiled : compiled;
      const speed: Prepared['speed'] = { scenario: span.scenario, toBlock: 0, trials: 0, tookMs: 0 };
      prepared = { scenario, program, slices: new SliceRunner(), speed, isLong: false };
    }
    const run = new InlineSpan(prepared, span);
    while (!isCut && !prepared.isLong && isWanted(run, span)) {
      let state = run.runBlock(turn);
      while (state === 'paused') {
        await turn.pause();
        state = run.runBlock(turn);
      }
      prepared.isLong = state === 'long';
      const isWhole = state === 'whole';
      const separate = bail > 0 || options.separate === true;
      const due = !isWhole || run.block === span.toBlock || separate || turn.deltaDue();
      prepared.speed.toBlock = run.block;
      const handOver = isWhole && options.handOver?.(prepared.speed) === true;
      isCut = state === 'short' || handOver;
      if (due || handOver) {
        const failed = run.failed;
        const last = run.block - 1;
        const delta = run.flush();
        if (delta !== null) yield delta;
        isCut ||= bail > 0 && failed > 0 && failing.note(span.scenario, last) !== null;
      }
    }
    if (prepared.isLong && isWanted(run, span)) leave({ ...span, fromBlock: run.block });
  }
  turn.report();
  if (options.after !== undefined) yield* options.after();
}

/** A compiled scenario and how fast it has been. */
interface Prepared {
  readonly scenario: ScenarioPlan;
  readonly program: TrialProgram;
  readonly slices: SliceRunner;
  readonly speed: { -readonly [K in keyof SpeedNote]: SpeedNote[K] };
  /** One of its trials takes too much work for this thread. */
  isLong: boolean;
}

/** A block that is being run. */
interface OpenBlock {
  /** The trial that comes next. */
  at: number;
  readonly to: number;
  readonly target: Tally;
  hasBegun: boolean;
}

/** One span being run into one tally. */
class InlineSpan {
  block: number;
  private readonly prepared: Prepared;
  private from: number;
  private tally: Tally | null = null;
  private open: OpenBlock | null = null;
  /** Trials that have run since the last flush, and failed or broken ones among them. */
  private unflushed = { done: 0, failed: 0 };

  constructor(prepared: Prepared, span: BlockSpan) {
    this.prepared = prepared;
    this.block = span.fromBlock;
    this.from = span.fromBlock;
  }

  get failed(): number {
    return this.tally === null ? 0 : this.tally.failed + this.tally.broken;
  }

  /**
   * Runs slices of the block, until it has ended or somebody else is to run: then it goes on when it is called again.
   * Cut short: what was run of this block is dropped. Too long for this thread: so is what has not been flushed.
   */
  runBlock(turn: Turn): 'whole' | 'short' | 'paused' | 'long' {
    const { program, slices, speed } = this.prepared;
    this.open ??= this.openBlock();
    const { open } = this;
    const { target, to } = open;
    while (open.at < to) {
      if (open.hasBegun && turn.stopped()) return 'short';
      const badBefore = target.failed + target.broken;
      const next = runShort(() => slices.run(program, open.at, to, target));
      if (next === null) {
        this.drop(turn);
        return 'long';
      }
      speed.trials += next - open.at;
      speed.tookMs += slices.tookMs;
      turn.add(next - open.at, target.failed + target.broken - badBefore);
      this.unflushed.done += next - open.at;
      this.unflushed.failed += target.failed + target.broken - badBefore;
      open.at = next;
      open.hasBegun = true;
      if (turn.isOverAt(slices.endedAt)) return 'paused';
    }
    if (this.tally === null) this.tally = target;
    else if (this.tally !== target) this.tally.merge(target);
    this.block++;
    this.open = null;
    return turn.stopped() ? 'short' : 'whole';
  }

  private openBlock(): OpenBlock {
    const { scenario, program, slices } = this.prepared;
    const { from, to } = trialsOf(scenario, this.block, this.block + 1);
    // A block that is cut short must not spoil those before it.
    const joins = this.tally !== null && slices.takesWhole(to - from);
    const target = joins && this.tally !== null ? this.tally : program.newTally();
    return { at: from, to, target, hasBegun: false };
  }

  /** Forgets what has not been flushed: blocks share a tally, and a trial that was given up has spoilt it. */
  private drop(turn: Turn): void {
    turn.takeBack(this.unflushed);
    this.unflushed = { done: 0, failed: 0 };
    this.open = null;
    this.tally = null;
    this.block = this.from;
  }

  flush(): Delta | null {
    const { tally, from, block } = this;
    this.unflushed = { done: 0, failed: 0 };
    if (tally === null || block === from) return null;
    this.tally = null;
    this.from = block;
    const { index } = this.prepared.scenario;
    return { scenario: index, fromBlock: from, toBlock: block, tally: encodeTally(tally) };
  }
}

/** Gives the thread back, reports progress, knows when to stop. */
class Turn {
  private readonly options: InlineRunOptions;
  private readonly total: number;
  private done = 0;
  private failed = 0;
  private readonly turns = new ThreadTurns();
  private deltaAt = monotonicMs();

  constructor(options: InlineRunOptions, total: number) {
    this.options = options;
    this.total = total;
  }

  add(trials: number, failed: number): void {
    this.done += trials;
    this.failed += failed;
  }

  /** What was run is run again elsewhere. */
  takeBack({ done, failed }: { readonly done: number; readonly failed: number }): void {
    this.done -= done;
    this.failed -= failed;
  }

  stopped(): boolean {
    return this.options.signal?.aborted === true || this.options.isClosed();
  }

  deltaDue(): boolean {
    if (monotonicMs() - this.deltaAt < DELTA_MS) return false;
    this.deltaAt = monotonicMs();
    this.report();
    return true;
  }

  /** True: the thread is to be given back at this time. */
  isOverAt(now: number): boolean {
    return this.turns.isOver(now);
  }

  pause(): Promise<void> {
    return this.turns.next();
  }

  report(): void {
    this.options.onProgress?.({ done: this.done, total: this.total, failed: this.failed });
  }
}

function refuseLong(plan: RunPlan): (span: BlockSpan) => void {
  return (span) => {
    const { name } = scenarioAt(plan, span.scenario).scenario;
    throw new PasskError('POOL', `A trial of scenario "${name}" takes too long for the calling thread.`, {
      hint: 'Give it a worker.',
    });
  };
}

function refuseForeign(scenario: ScenarioPlan): void {
  if (runsInline(scenario)) return;
  throw new PasskError('POOL', `Scenario "${scenario.scenario.name}" cannot run on the calling thread.`, {
    hint: 'It runs code of the user or talks to the outside world: give it a worker.',
  });
}
