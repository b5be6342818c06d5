import type { FaultType } from '../plugin/fault-type.ts';
import type { Address, Answer, ModelRequest } from '../plugin/request.ts';
import { addressWord, mix32, STREAM } from '../random/draw.ts';
import { referenceVariant } from '../random/reference-variant.ts';
import { indexByWeight } from '../random/weights.ts';
import type { SeedWords } from '../types/plan.ts';
import type { Sampler, Turn } from '../types/scenario.ts';
import type { Chooser, Draws } from './chooser.ts';
import { type CompiledTurn, compileTurns } from './compile-turns.ts';
import { TurnQueue } from './turn-queue.ts';

export interface CannedModelOptions {
  readonly turns: readonly Turn[];
  readonly sampler: Sampler;
  readonly words: SeedWords;
  /** Known faults by type. */
  readonly faults: ReadonlyMap<string, FaultType>;
  /** The request of each trial that fails, from 1; null or 0: none. */
  readonly intelErrorOnCall: number | null;
  /** Names of known backends; absent: any name will do. */
  readonly backends?: readonly string[];
  /** Chooses among variants instead of the sampler; absent: nothing does. */
  readonly chooser?: Chooser | undefined;
}

/** A model that answers from declared turns, one trial at a time. */
export interface CannedModel extends Draws {
  /** Which variant the last answer was, in the row of all turns' variants; −1: none. */
  readonly served: number;
  /** Starts over: all turns are unused again. */
  begin(trial: number): void;
  answer(request: ModelRequest, at: Address): Answer;
  /** Why a backend cannot be asked; null: it can. */
  refuse(backend: string): Answer | null;
  /** The number of the queue that serves a node, for `take`. */
  queueOf(node: string): number;
  /**
   * Uses up the next answer of a queue as `answer` would and gives its place in that row; −1: there is none, or it is
   * the request that fails. `begin` starts over either way.
   */
  take(queue: number): number;
  /** Answers in that row; null: the answer depends on the request. */
  readonly row: readonly (Answer | null)[];
}

/**
 * Compiles turns into a model. A node that turns are addressed to is served by those alone, all others by the queue;
 * both in declared order, each turn once unless it repeats.
 */
export function createCannedModel(options: CannedModelOptions): CannedModel {
  return new TurnModel(options);
}

/** Numbers for each queue in the row of first draws. */
const FIRST_WORDS = 3;

/** Offset, address and shift of a queue's first draw. Shift 0: there is one variant; −1: more than a shift is needed. */
function firstDraw(turn: CompiledTurn | undefined): readonly number[] {
  if (turn === undefined) return [0, 0, -1];
  return [turn.offset, turn.address, turn.variants.length === 1 ? 0 : turn.shift];
}

/** The queue of all nodes that no turn is addressed to. */
const QUEUE = 0;
const NOT_ADDRESSED: ReadonlyMap<string, number> = new Map();

/** The common queue, then that of each node that turns are addressed to, and where that one stands. */
function queuesOf(turns: readonly CompiledTurn[]): {
  readonly queues: readonly TurnQueue[];
  readonly byNode: ReadonlyMap<string, number>;
} {
  if (turns.every(({ node }) => node === undefined)) return { queues: [new TurnQueue(turns)], byNode: NOT_ADDRESSED };
  const addressed = [...new Set(turns.flatMap(({ node }) => (node === undefined ? [] : [node])))];
  const owners = [undefined, ...addressed];
  return {
    queues: owners.map((owner) => new TurnQueue(turns.filter(({ node }) => node === owner))),
    byNode: new Map(addressed.map((node, index) => [node, index + 1])),
  };
}

class TurnModel implements CannedModel {
  served = -1;
  private readonly turns: readonly CompiledTurn[];
  private constantAnswers: readonly (Answer | null)[] | null = null;
  private readonly words: SeedWords;
  private readonly isReference: boolean;
  private readonly chooser: Chooser | undefined;
  private readonly errorOnCall: number;
  private readonly backends: readonly string[] | null;
  /** The common queue, then that of each node that turns are addressed to. */
  private readonly queues: readonly TurnQueue[];
  private readonly queuesByNode: ReadonlyMap<string, number>;
  private refusals: Map<string, Answer> | null = null;
  /** The first draw of each queue that needs no more than a shift: its offset, address and shift. */
  private firsts: Int32Array | null = null;
  private readonly isPlain: boolean;
  /** The seed words of trials as signed numbers: the same bits, and small enough to be kept as integers. */
  private readonly word0: number;
  private readonly word1: number;
  private trial = 0;
  private run = 0;
  private calls = 0;
  /** The queue that gave the first answer of this trial and has not advanced yet; −1: none. */
  private firstQueue = -1;

  constructor(options: CannedModelOptions) {
    this.words = options.words;
    this.isReference = options.sampler === 'reference';
    this.chooser = options.chooser;
    // As in the reference, a fault needs a model to fail: without turns there is none.
    this.errorOnCall = options.turns.length === 0 ? 0 : (options.intelErrorOnCall ?? 0);
    this.backends = options.backends === undefined ? null : options.backends.toSorted();
    const turns = compileTurns(options.turns, options.words, options.faults);
    this.turns = turns;
    const { queues, byNode } = queuesOf(turns);
    this.queues = queues;
    this.queuesByNode = byNode;
    this.isPlain = !this.isReference && this.chooser === undefined && this.errorOnCall !== 1;
    this.word0 = options.words[0] | 0;
    this.word1 = options.words[1] | 0;
  }

  get row(): readonly (Answer | null)[] {
    this.constantAnswers ??= this.turns.flatMap(({ variants }) => variants.map(({ constant }) => constant));
    return this.constantAnswers;
  }

  begin(trial: number): void {
    this.trial = trial;
    this.run++;
    this.calls = 0;
    this.served = -1;
    this.chooser?.begin();
  }

  answer(request: ModelRequest, at: Address): Answer {
    this.served = -1;
    const refusal = this.refuse(request.backend);
    if (refusal !== null) return refusal;
    this.calls++;
    if (this.calls === this.errorOnCall) return this.transportFault();
    const queue = this.begunQueue(this.queueOf(at.node));
    const turn = queue.current();
    if (turn === undefined) return this.nothingLeft(queue, at.node);
    const variant = this.use(queue, turn);
    this.served = turn.offset + variant;
    const compiled = turn.variants[variant];
    return compiled === undefined ? this.nothingLeft(queue, at.node) : compiled.answer(request);
  }

  queueOf(node: string): number {
    return (this.queuesByNode.size === 0 ? undefined : this.queuesByNode.get(node)) ?? QUEUE;
  }

  take(index: number): number {
    const firsts = this.firsts ?? this.drawFirsts();
    const at = index * FIRST_WORDS;
    const shift = firsts[at + 2] as number;
    if (shift < 0 || this.calls !== 0) return this.takeNext(index);
    // Most trials ask once: nothing but the draw itself is done for that, and the queue advances when it is asked again.
    this.calls = 1;
    this.firstQueue = index;
    const offset = firsts[at] as number;
    return shift === 0 ? offset : offset + (this.drawAt(firsts[at + 1] as number) >>> shift);
  }

  private drawFirsts(): Int32Array {
    const { isPlain } = this;
    const firsts = this.queues.flatMap(({ turns: [turn] }) => firstDraw(isPlain ? turn : undefined));
    this.firsts = Int32Array.from(firsts);
    return this.firsts;
  }

  private takeNext(index: number): number {
    if (this.calls === 0) this.firstQueue = -1;
    else if (this.firstQueue >= 0) this.advanceFirst(this.begunQueue(this.firstQueue));
    this.calls++;
    if (this.calls === this.errorOnCall) return -1;
    const queue = this.begunQueue(index);
    const turn = queue.current();
    return turn === undefined ? -1 : turn.offset + this.use(queue, turn);
  }

  private advanceFirst(queue: TurnQueue): void {
    const turn = queue.current();
    if (turn !== undefined) queue.advance(turn);
    this.firstQueue = -1;
  }

  private begunQueue(index: number): TurnQueue {
    const queue = this.queues[index] as TurnQueue;
    queue.startIn(this.run);
    return queue;
  }

  /** Draws the variant of a turn and uses the turn up. */
  private use(queue: TurnQueue, turn: CompiledTurn): number {
    const variant = turn.variants.length === 1 ? 0 : this.pick(turn, queue.occurrence);
    queue.advance(turn);
    return variant;
  }

  private pick(turn: CompiledTurn, occurrence: number): number {
    return this.chooser === undefined ? this.drawn(turn, occurrence) : this.chooser.choose(turn, occurrence, this);
  }

  drawn(turn: CompiledTurn, occurrence: number): number {
    if (this.isReference) return referenceVariant(this.trial, turn.index, turn.variants.length);
    const address = occurrence === 0 ? turn.address : addressWord(this.words, STREAM.turn, turn.key, occurrence);
    const drawn = this.drawAt(address) >>> 0;
    return turn.shift >= 0 ? drawn >>> turn.shift : indexByWeight(turn.thresholds, drawn);
  }

  /** The bits of `draw` for this trial. */
  private drawAt(address: number): number {
    const { trial } = this;
    return mix32(mix32(trial ^ this.word0) + address) ^ mix32(trial + this.word1);
  }

  private transportFault(): Answer {
    return this.refusal('', `injected transport fault on call ${this.errorOnCall}`, 'intel_error_on_call');
  }

  private nothingLeft(queue: TurnQueue, node: string): Answer {
    const count = queue.turns.length;
    const turns = count === 1 ? '1 turn' : `${count} turns`;
    const whose = queue === this.queues[QUEUE] ? `the queue declares ${turns}` : `${turns} addressed to it`;
    const why = count === 0 ? 'no turn is declared that could serve it' : `${whose}, all used up`;
    return this.refusal(`node ${node}`, `MockClient: no canned response enqueued for node \`${node}\`: ${why}`, null);
  }

  refuse(backend: string): Answer | null {
    if (this.backends === null || this.backends.includes(backend)) return null;
    const names = this.backends.join(', ') || '<none>';
    const message = `backend \`${backend}\` is not configured on this runtime; known backends: ${names}`;
    return this.refusal(`backend ${backend}`, message, null);
  }

  // Kept by what it is about: nodes and backends of a workflow are few.
  private refusal(about: string, message: string, fault: string | null): Answer {
    this.refusals ??= new Map();
    const hit = this.refusals.get(about);
    if (hit !== undefined) return hit;
    const reply = Object.freeze({ kind: 'error', category: 'intelligence', message, denied: false } as const);
    const source = fault === null ? 'turn' : 'fault';
    const answer: Answer = Object.freeze({ reply, delayUs: 0, source, fault });
    this.refusals.set(about, answer);
    return answer;
  }
}
