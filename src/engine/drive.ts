import type { Answer, ChildResult, ChildRun, ChildrenRequest, Request } from '../plugin/request.ts';
import { messageOf } from '../values/message-of.ts';
import { waitedFor } from './waited-for.ts';
import type { Unanswered } from './waits.ts';
import type { Walk } from './walk.ts';

/** What drivers ask of the engine whose walks they run. */
export interface Driven {
  /** The answer of a port that answers at once. */
  askNow(walk: Walk): Answer;
  /** The answer, or why none came: until the walk's time is up, or the trial is over. */
  ask(walk: Walk): Promise<Answer | Unanswered>;
  /** True: some request of this program may overlap with others. */
  readonly mayOverlap: boolean;
  /** True: the walk's request may be made although earlier siblings still run. */
  overlaps(walk: Walk): boolean;
  /** The walk of a child, begun, or why it cannot begin. */
  openChild(parent: Walk, run: ChildRun, element: number, startUs: number): OpenedChild;
  /** Keeps a child's walk for the next one of its kind. */
  closeChild(walk: Walk): void;
}

export type OpenedChild =
  | { readonly ok: true; readonly walk: Walk }
  | { readonly ok: false; readonly result: ChildResult };

/** Runs a walk to its end on ports that answer at once. */
export function drive(engine: Driven, walk: Walk): void {
  for (;;) {
    const signal = walk.advance();
    if (signal === 'ended') return;
    if (signal === 'children') runChildren(engine, walk);
    else if (signal === 'ask' && walk.admit()) walk.answer(engine.askNow(walk));
  }
}

/**
 * Runs a walk to its end on ports that may take their time. Children of one group overlap, but only while they wait for
 * the outside world: what the plan answers they ask for in declared order, so that one semantics holds for all drivers.
 * `turn` resolves when everything that is declared before this walk has ended; null: it has.
 */
export async function driveAsync(engine: Driven, walk: Walk, turn: Promise<void> | null): Promise<void> {
  const { trialState } = walk;
  let before = turn;
  for (;;) {
    const signal = walk.advance();
    if (signal === 'ended') return;
    if (signal === 'children') {
      await runChildrenAsync(engine, walk, before);
      continue;
    }
    if (signal === 'wait') {
      await pause(walk);
      continue;
    }
    if (before !== null && !engine.overlaps(walk)) {
      await before;
      before = null;
      if (trialState.brokenBy !== null) return;
    }
    if (!walk.admit()) continue;
    const answer = await engine.ask(walk);
    if (answer === 'halted') return;
    if (answer === 'late') {
      // The time of a child is that of its parents, which end for the same reason.
      trialState.unanswered ??= waitedFor(walk.request as Request);
      walk.expire();
      return;
    }
    if (answer.reply.kind === 'broken' && before !== null) {
      // The first in declared order breaks the trial, not the first in time.
      await before;
      if (trialState.brokenBy !== null) return;
    }
    walk.answer(answer);
  }
}

async function pause(walk: Walk): Promise<void> {
  const { realTime, waits } = walk.trialState;
  if (realTime === null) return;
  await waits.first(new Promise<never>(() => undefined), { us: walk.waitUs, realTime });
}

function runChildren(engine: Driven, parent: Walk): void {
  const group = new ChildGroup(engine, parent);
  for (let child = group.next(); child !== null; child = group.next()) {
    if (child === 'passed') continue;
    drive(engine, child);
    group.ended(child);
  }
  group.join();
}

async function runChildrenAsync(engine: Driven, parent: Walk, turn: Promise<void> | null): Promise<void> {
  const group = new ChildGroup(engine, parent);
  let before = turn;
  let running: Promise<void>[] = [];
  for (;;) {
    if (group.startsOver || !engine.mayOverlap) {
      await Promise.all(running);
      running = [];
    }
    const child = group.next();
    if (child === null) break;
    if (child === 'passed') continue;
    const earlier = before;
    const run = runChild(engine, group, child, earlier);
    before = earlier === null ? run : run.then(() => earlier);
    running.push(run);
  }
  await Promise.all(running);
  group.join();
}

// Never rejects: nobody may be left running when the trial has ended.
async function runChild(engine: Driven, group: ChildGroup, child: Walk, turn: Promise<void> | null): Promise<void> {
  try {
    await driveAsync(engine, child, turn);
  } catch (error) {
    await turn;
    child.trialState.breakBy(messageOf(error));
  }
  group.ended(child);
}

/**
 * The children of one composition node in declared order. They overlap in virtual time: each group of
 * `maxConcurrent` starts together and takes as long as its slowest member.
 */
class ChildGroup {
  private readonly engine: Driven;
  private readonly parent: Walk;
  private readonly request: ChildrenRequest;
  private readonly results: ChildResult[] = [];
  private element = 0;
  private groupStartUs: number;
  private groupEndUs: number;

  constructor(engine: Driven, parent: Walk) {
    this.engine = engine;
    this.parent = parent;
    // The signal `children` is given for nothing else.
    this.request = parent.request as ChildrenRequest;
    this.groupStartUs = parent.clockUs;
    this.groupEndUs = parent.clockUs;
  }

  /** True: the next child may begin only when all before it have ended. */
  get startsOver(): boolean {
    const { element } = this;
    return element > 0 && element % this.request.maxConcurrent === 0;
  }

  /** The next child to drive, begun, or passed over since it cannot begin; null: there is none. */
  next(): Walk | 'passed' | null {
    const { element } = this;
    const run = this.request.runs[element];
    if (run === undefined || this.parent.trialState.brokenBy !== null) return null;
    if (this.startsOver) this.groupStartUs = this.groupEndUs;
    this.element++;
    const opened = this.engine.openChild(this.parent, run, element, this.groupStartUs);
    if (opened.ok) return opened.walk;
    this.results[element] = opened.result;
    return 'passed';
  }

  ended(child: Walk): void {
    this.groupEndUs = Math.max(this.groupEndUs, child.clockUs);
    this.results[child.element] = childResult(child);
    if (child.finalFromModel) this.parent.markFromModel();
    this.engine.closeChild(child);
  }

  /** The parent goes on with what became of its children. */
  join(): void {
    this.parent.clockUs = this.groupEndUs;
    // A broken trial goes on with nothing, and may lack results.
    if (this.parent.trialState.brokenBy !== null) return;
    const reply = { kind: 'children', results: this.results } as const;
    this.parent.answer({ reply, delayUs: 0, source: 'memory', fault: null });
  }
}

function childResult(child: Walk): ChildResult {
  switch (child.status) {
    case 'completed':
      return { kind: 'completed', value: child.finalValue };
    case 'failed':
      return { kind: 'failed', reason: child.reason ?? '' };
    case 'timed_out':
      return { kind: 'timed_out' };
    case 'paused':
      return { kind: 'paused' };
    case 'errored':
      return { kind: 'error', category: child.category ?? 'workflow', message: child.reason ?? '' };
  }
}
