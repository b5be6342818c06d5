import type { Answer, ChildResult, ChildrenRequest } from '../plugin/request.ts';
import type { Engine } from './engine.ts';
import type { Walk } from './walk.ts';

/** Runs a walk to its end on ports that answer at once. */
export function drive(engine: Engine, walk: Walk): void {
  for (;;) {
    const signal = walk.advance();
    if (signal === 'ended') return;
    if (signal === 'ask') walk.answer(engine.askNow(walk));
    else if (signal === 'children') runChildren(engine, walk);
  }
}

/** Runs a walk to its end on ports that may take their time. The same steps in the same order. */
export async function driveAsync(engine: Engine, walk: Walk): Promise<void> {
  for (;;) {
    const signal = walk.advance();
    if (signal === 'ended') return;
    if (signal === 'ask') walk.answer(await engine.ask(walk));
    else if (signal === 'children') await runChildrenAsync(engine, walk);
    else await walk.session.realTime?.sleep(walk.waitUs);
  }
}

function runChildren(engine: Engine, parent: Walk): void {
  const group = new ChildGroup(engine, parent);
  for (let child = group.next(); child !== null; child = group.next()) {
    drive(engine, child);
    group.ended(child);
  }
  parent.answer(group.answer());
}

// One child after the other: the order in which turns are taken must not depend on timing.
async function runChildrenAsync(engine: Engine, parent: Walk): Promise<void> {
  const group = new ChildGroup(engine, parent);
  for (let child = group.next(); child !== null; child = group.next()) {
    await driveAsync(engine, child);
    group.ended(child);
  }
  parent.answer(group.answer());
}

/**
 * The children of one composition node in declared order. They overlap in virtual time: each group of
 * `maxConcurrent` starts together and takes as long as its slowest member.
 */
class ChildGroup {
  private readonly engine: Engine;
  private readonly parent: Walk;
  private readonly request: ChildrenRequest;
  private readonly results: ChildResult[] = [];
  private groupStartUs: number;
  private groupEndUs: number;

  constructor(engine: Engine, parent: Walk) {
    this.engine = engine;
    this.parent = parent;
    // The signal `children` is given for nothing else.
    this.request = parent.request as ChildrenRequest;
    this.groupStartUs = parent.clockUs;
    this.groupEndUs = parent.clockUs;
  }

  /** The next child to drive, begun; null: all have ended. */
  next(): Walk | null {
    const { runs, maxConcurrent } = this.request;
    while (this.parent.session.brokenBy === null && this.results.length < runs.length) {
      const element = this.results.length;
      if (element > 0 && element % maxConcurrent === 0) this.groupStartUs = this.groupEndUs;
      const run = runs[element];
      if (run === undefined) return null;
      const opened = this.engine.openChild(this.parent, run, element, this.groupStartUs);
      if (opened.ok) return opened.walk;
      this.results.push(opened.result);
    }
    return null;
  }

  ended(child: Walk): void {
    this.groupEndUs = Math.max(this.groupEndUs, child.clockUs);
    this.results.push(childResult(child));
    if (child.finalFromModel) this.parent.markFromModel();
    this.engine.closeChild(child);
  }

  answer(): Answer {
    this.parent.clockUs = this.groupEndUs;
    return { reply: { kind: 'children', results: this.results }, delayUs: 0, source: 'memory', fault: null };
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
