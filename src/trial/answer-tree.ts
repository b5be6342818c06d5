import type { AnswerStep } from '../intelligence/answer-path.ts';
import { CERTAIN, type Dyadic, DyadicSum, NOTHING, shareOf, times, toNumber } from '../stats/dyadic.ts';
import type { ChoicePart, LeafPart, TreePart, TreeStep } from '../types/answer-tree.ts';
import type { LeafWalk } from './leaf-walk.ts';
import type { ProgramInfo } from './program-info.ts';
import { StepRecorder } from './step-recorder.ts';

export interface GrownTree {
  readonly parts: readonly TreePart[];
  readonly leaves: number;
  readonly complete: boolean;
  readonly passRate: number | null;
}

export interface GrowOptions {
  /** Leaves that are run at most. */
  readonly most: number;
  /** What a variant says. */
  readonly textOf: (turn: number, variant: number) => string;
  /** Runs one leaf. */
  readonly runLeaf: (run: () => void) => void | Promise<void>;
}

/** Runs leaves up to `most` of them and puts the tree of answers together. */
export async function growAnswerTree(
  walk: LeafWalk,
  info: ProgramInfo,
  { most, textOf, runLeaf }: GrowOptions,
): Promise<GrownTree> {
  const tree = new Tree(info, textOf);
  const recorder = new StepRecorder(() => walk.taken);
  let leaves = 0;
  for (let nextDepth = 0; nextDepth >= 0; ) {
    if (leaves === most) return { parts: tree.end().parts, leaves, complete: false, passRate: null };
    recorder.begin();
    await runLeaf(() => walk.run(recorder));
    const { segments } = recorder;
    tree.extend(walk.steps, segments);
    const { passed, broken } = walk.leaf;
    const end = broken > 0 ? null : walk.outcome;
    const verdict = broken > 0 ? 'broken' : passed > 0 ? 'passed' : 'failed';
    tree.addLeaf({
      kind: 'leaf',
      steps: segments.at(-1) ?? [],
      verdict,
      status: end?.status ?? null,
      stoppedBy: end?.stoppedBy ?? null,
      reason: walk.leaf.lowestBroken[0]?.cause ?? end?.reason ?? null,
      checks: walk.leaf.failedChecks().map((check) => info.checks[check] ?? ''),
      leaf: leaves++,
    });
    nextDepth = walk.advance((depth) => tree.close(depth));
  }
  return { ...tree.end(), leaves, complete: true };
}

interface Opened {
  readonly steps: readonly TreeStep[];
  /** The answer that is being followed. */
  current: AnswerStep;
  readonly answers: { readonly variants: number[]; readonly texts: string[]; widths: number; readonly next: number }[];
}

/** What is known of a finished part. */
interface Finished {
  readonly at: number;
  readonly leaves: number;
  /** Null where parts are left out. */
  readonly passes: Dyadic | null;
}

class Tree {
  private readonly parts: TreePart[] = [];
  private readonly finished: Finished[] = [];
  /** Parts by what they are: equal ones are one. */
  private readonly positions = new Map<string, number>();
  private readonly open: Opened[] = [];
  private last: Finished = { at: 0, leaves: 0, passes: NOTHING };
  private readonly turns: ProgramInfo['turns'];
  private readonly textOf: (turn: number, variant: number) => string;

  constructor(info: ProgramInfo, textOf: (turn: number, variant: number) => string) {
    this.turns = info.turns;
    this.textOf = textOf;
  }

  /** Opens the choices that this leaf is the first to make. */
  extend(steps: readonly AnswerStep[], segments: readonly (readonly TreeStep[])[]): void {
    for (const [at, step] of steps.entries()) {
      const opened = this.open[at];
      if (opened === undefined) this.open.push({ steps: segments[at] ?? [], current: step, answers: [] });
      else opened.current = step;
    }
  }

  addLeaf(leaf: LeafPart): void {
    const { leaf: _, ...what } = leaf;
    this.last = this.intern(JSON.stringify(what), leaf, {
      leaves: 1,
      passes: leaf.verdict === 'passed' ? CERTAIN : NOTHING,
    });
  }

  /** The first `depth` choices stay as they are, and the one after them gets another answer. */
  close(depth: number): void {
    while (this.open.length > depth + 1) this.last = this.finish(this.open.pop() as Opened);
    const opened = this.open[depth];
    if (opened !== undefined) this.answer(opened);
  }

  /** The whole tree; what is still open has leaves that are left out. */
  end(): { readonly parts: readonly TreePart[]; readonly passRate: number | null } {
    for (let opened = this.open.pop(); opened !== undefined; opened = this.open.pop()) {
      this.last = this.finish(opened, true);
    }
    const { passes } = this.last;
    return { parts: this.parts, passRate: passes === null ? null : toNumber(passes) };
  }

  /** Notes where the answer that was followed led: to what was finished last. */
  private answer({ answers, current }: Opened): void {
    const { turn, variant, width } = current;
    const text = this.textOf(turn, variant);
    const same = answers.find(({ next }) => next === this.last.at);
    if (same === undefined) {
      answers.push({ variants: [variant], texts: [text], widths: width, next: this.last.at });
      return;
    }
    same.variants.push(variant);
    same.texts.push(text);
    same.widths += width;
  }

  private finish(opened: Opened, isCut = false): Finished {
    // Its answer has been noted unless what it led to has just been finished.
    const noted = opened.answers.some(({ variants }) => variants.includes(opened.current.variant));
    if (!noted) this.answer(opened);
    const { steps, current, answers } = opened;
    const passes = new DyadicSum();
    let leaves = 0;
    let isWhole = !isCut;
    for (const { widths, next, variants } of answers) {
      const below = this.finished[next] as Finished;
      leaves += below.leaves * variants.length;
      if (below.passes === null) isWhole = false;
      else passes.add(times(shareOf(widths), below.passes));
    }
    const part: ChoicePart = {
      kind: 'choice',
      steps,
      turn: this.turns[current.turn]?.turn ?? `turns[${current.turn}]`,
      occurrence: current.occurrence,
      answers: answers.map(({ variants, texts, widths, next }) => ({
        variants,
        texts,
        chance: toNumber(shareOf(widths)),
        next,
      })),
      leaves,
      passRate: isWhole ? toNumber(passes.value) : null,
    };
    return this.intern(JSON.stringify(part), part, { leaves, passes: isWhole ? passes.value : null });
  }

  private intern(key: string, part: TreePart, what: Omit<Finished, 'at'>): Finished {
    const position = this.positions.get(key);
    if (position !== undefined) return this.finished[position] as Finished;
    const finished = { at: this.parts.length, ...what };
    this.positions.set(key, finished.at);
    this.parts.push(part);
    this.finished.push(finished);
    return finished;
  }
}
