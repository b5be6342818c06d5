import type { Move } from '../plugin/node-type.ts';
import type { Reply } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import { freezeDeep } from '../values/freeze-deep.ts';
import type { Route } from './route.ts';

/** A move with what follows from it for every trial. */
export interface Planned {
  readonly move: Move;
  /** The out-edges that answer a `done` move; null: none at all. */
  readonly route: Route | null;
  /** Bytes that the output takes, roughly. */
  readonly bytes: number;
  /** What an `ask` goes on with, by reply; null: not kept. */
  replies: Map<Reply, Planned> | null;
}

type Trie = Map<Json | undefined, Trie | Planned>;

/** How many answers one program may keep; beyond, steps are called each time, with the same result. */
export interface MemoLimit {
  left: number;
}

/** The moves that one program keeps of one graph's nodes. */
export class Memos {
  private readonly limit: MemoLimit;
  private readonly nodes: number;
  /** By node; made for the first that keeps a move. */
  private byNode: (Memo | undefined)[] | null = null;

  constructor(nodes: number, limit: MemoLimit) {
    this.nodes = nodes;
    this.limit = limit;
  }

  find({ index }: MemoNode, inputs: readonly (Json | undefined)[]): Planned | undefined {
    return this.byNode?.[index]?.find(inputs);
  }

  keep({ index, memoDepth }: MemoNode, inputs: readonly (Json | undefined)[], planned: Planned): void {
    if (memoDepth === null) return;
    this.byNode ??= new Array<undefined>(this.nodes).fill(undefined);
    const memo = this.byNode[index] ?? new Memo(memoDepth, this.limit);
    this.byNode[index] = memo;
    memo.keep(inputs, planned);
  }

  /** Keeps what follows a reply, when both the ask and the reply are kept objects. */
  keepReply({ memoDepth }: MemoNode, ask: Planned, reply: Reply, planned: Planned): void {
    if (memoDepth === null || ask.replies === null || this.limit.left <= 0 || !Object.isFrozen(reply)) return;
    this.limit.left--;
    freezePlanned(planned);
    ask.replies.set(reply, planned);
  }
}

/** A node whose moves may be kept, by so many inputs; null: it is called anew on each visit. */
interface MemoNode {
  readonly index: number;
  readonly memoDepth: number | null;
}

/**
 * A pure step's moves by its inputs. Filled only by calling the step, so that kept and fresh moves cannot differ.
 * Inputs are compared by identity: objects count only when frozen, that is, when they are answers kept themselves.
 */
class Memo {
  private readonly limit: MemoLimit;
  private readonly depth: number;
  private root: Trie | null = null;
  private sole: Planned | null = null;

  /** `depth` is the number of inputs. */
  constructor(depth: number, limit: MemoLimit) {
    this.depth = depth;
    this.limit = limit;
  }

  find(inputs: readonly (Json | undefined)[]): Planned | undefined {
    if (this.depth === 0) return this.sole ?? undefined;
    let level = this.root;
    if (level === null) return undefined;
    for (let i = 0; i < this.depth - 1; i++) {
      const next = level.get(inputs[i]);
      if (next === undefined) return undefined;
      level = next as Trie;
    }
    return level.get(inputs[this.depth - 1]) as Planned | undefined;
  }

  keep(inputs: readonly (Json | undefined)[], planned: Planned): void {
    if (this.limit.left <= 0 || !inputs.every(isStable)) return;
    this.limit.left--;
    freezePlanned(planned);
    if (this.depth === 0) {
      this.sole = planned;
      return;
    }
    this.root ??= new Map();
    let level = this.root;
    for (let i = 0; i < this.depth - 1; i++) {
      let next = level.get(inputs[i]) as Trie | undefined;
      if (next === undefined) {
        next = new Map();
        level.set(inputs[i], next);
      }
      level = next;
    }
    level.set(inputs[this.depth - 1], planned);
  }
}

function isStable(value: Json | undefined): boolean {
  return typeof value !== 'object' || value === null || Object.isFrozen(value);
}

function freezePlanned(planned: Planned): void {
  const { move } = planned;
  if (move.kind === 'done') freezeDeep(move.output);
  if (move.kind === 'ask') planned.replies = new Map();
}
