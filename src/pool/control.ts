// Words of the shared block. Positions are those of a BlockGrid.
const NEXT = 0;
const TOTAL = 1;
const LIMIT = 2;
const ABORT = 3;
export const WORKERS = 4;
const MAX_CLAIM = 5;
export const ENTRIES = 6;
export const MOST_IN_FLIGHT = 7;
const HELD = 8;
const SCENARIOS = 9;
const WAITING = 10;
const HEADER = 16;

// Words of one worker, on a cache line of their own.
const WORKER_WORDS = 16;
const CLAIM_FROM = 0;
const CLAIM_TO = 1;
const PHASE = 2;
const SCENARIO = 3;
const BLOCK = 4;
const OFFSET = 5;
const DONE_LOW = 6;
const DONE_HIGH = 7;
const FAILED_LOW = 8;
const FAILED_HIGH = 9;
const HEARTBEAT = 10;

// Words of one block in flight: its scenario + 1 (0: the entry is free) and its number.
const ENTRY_WORDS = 2;

/** Blocks in one claim at most: what the fastest programs get through in about a second. */
const DEFAULT_MAX_CLAIM = 4096;
const PHASES = ['idle', 'preparing', 'running', 'ending'] as const;

/** What a worker does: nothing, compile a scenario, run trials, or give the code that they left behind its turn. */
export type Phase = (typeof PHASES)[number];

/** Where a worker is, as last published. */
export interface WorkerPlace {
  readonly claim: { readonly from: number; readonly to: number };
  readonly phase: Phase;
  readonly scenario: number;
  /** The highest block begun. */
  readonly block: number;
  /** The trial begun last, counted from the start of that block. */
  readonly offset: number;
}

/** The memory that the host and the workers of one run share. */
export type Control = Int32Array<SharedArrayBuffer>;

export interface ControlOptions {
  readonly workers: number;
  /** Positions to hand out. */
  readonly total: number;
  /** Blocks of programs that are not pure stand below this position; default 0: there are none. */
  readonly waiting?: number;
  readonly maxClaim?: number;
  /** Scenarios of the plan, where they may end early; default 0: none does. */
  readonly scenarios?: number;
  /** Blocks in flight in one worker at most, of programs that are not pure; default 1. */
  readonly entries?: number;
  /** The same in all workers together; default: no other limit. */
  readonly mostInFlight?: number;
}

export function createControl(options: ControlOptions): Control {
  const { workers, total, maxClaim = DEFAULT_MAX_CLAIM, entries = 1, mostInFlight = workers * entries } = options;
  const { scenarios = 0, waiting = 0 } = options;
  const words = HEADER + workers * (WORKER_WORDS + entries * ENTRY_WORDS) + scenarios;
  const control = new Int32Array(new SharedArrayBuffer(4 * words));
  control[ENTRIES] = entries;
  control[MOST_IN_FLIGHT] = mostInFlight;
  control[SCENARIOS] = scenarios;
  control[TOTAL] = total;
  control[WAITING] = waiting;
  control[LIMIT] = total;
  control[WORKERS] = workers;
  control[MAX_CLAIM] = maxClaim;
  return control;
}

/** Positions from … to − 1; `full`: the next ones wait for answers, and the worker has no room for them; null: none is left. */
export type Claimed = { readonly from: number; readonly to: number } | 'full' | null;

/**
 * Takes the next positions for a worker that has room for so many blocks that wait for answers. It gets no more of those,
 * because others may have room too. Guided: a share of what remains, so that few claims are made while there is much to do
 * and the workers end together.
 */
export function claimBlocks(control: Control, worker: number, room = Number.POSITIVE_INFINITY): Claimed {
  for (;;) {
    if (isAborted(control)) return null;
    const from = Atomics.load(control, NEXT);
    const remaining = Atomics.load(control, LIMIT) - from;
    if (remaining <= 0) return null;
    const most = from < (control[WAITING] as number) ? room : Number.POSITIVE_INFINITY;
    if (most === 0) return 'full';
    const share = Math.floor(remaining / (8 * (control[WORKERS] as number)));
    const to = from + Math.max(1, Math.min(share, most, control[MAX_CLAIM] as number));
    if (Atomics.compareExchange(control, NEXT, from, to) !== from) continue;
    publishClaim(control, worker, from, to);
    return { from, to };
  }
}

/** The first position that nobody has claimed, as far as this side knows. */
export function nextOf(control: Control): number {
  return Atomics.load(control, NEXT);
}

/** Notes in the block of a worker process what the host's says. */
export function noteNext(control: Control, position: number): void {
  Atomics.store(control, NEXT, position);
}

/** Positions not claimed yet. */
export function unclaimed(control: Control): number {
  return Math.max(0, Atomics.load(control, LIMIT) - Atomics.load(control, NEXT));
}

export function publishClaim(control: Control, worker: number, from: number, to: number): void {
  const base = baseOf(worker);
  Atomics.store(control, base + CLAIM_FROM, from);
  Atomics.store(control, base + CLAIM_TO, to);
}

/** Says that trials from `offset` of a block begin now; counts as a heartbeat. */
export function publishRunning(
  control: Control,
  worker: number,
  scenario: number,
  block: number,
  offset: number,
): void {
  const base = baseOf(worker);
  Atomics.store(control, base + SCENARIO, scenario);
  Atomics.store(control, base + BLOCK, block);
  Atomics.store(control, base + OFFSET, offset);
  Atomics.store(control, base + PHASE, PHASES.indexOf('running'));
  beat(control, worker);
}

/** Notes that the last trials have returned: code that runs now was left behind by them or by earlier trials. */
export function publishEnding(control: Control, worker: number): void {
  Atomics.store(control, baseOf(worker) + PHASE, PHASES.indexOf('ending'));
  beat(control, worker);
}

/** Says that a scenario is being compiled, or that nothing runs. */
export function publishPhase(control: Control, worker: number, phase: 'idle' | 'preparing', scenario: number): void {
  const base = baseOf(worker);
  Atomics.store(control, base + SCENARIO, scenario);
  Atomics.store(control, base + PHASE, PHASES.indexOf(phase));
  beat(control, worker);
}

/** Adds to what a worker has done since `resetWorker`. */
export function publishDone(control: Control, worker: number, trials: number, failed: number): void {
  const base = baseOf(worker);
  addWide(control, base + DONE_LOW, base + DONE_HIGH, trials);
  addWide(control, base + FAILED_LOW, base + FAILED_HIGH, failed);
  beat(control, worker);
}

export function beat(control: Control, worker: number): void {
  Atomics.add(control, baseOf(worker) + HEARTBEAT, 1);
}

export function heartbeatOf(control: Control, worker: number): number {
  return Atomics.load(control, baseOf(worker) + HEARTBEAT);
}

export function doneOf(control: Control, worker: number): { readonly done: number; readonly failed: number } {
  const base = baseOf(worker);
  return {
    done: loadWide(control, base + DONE_LOW, base + DONE_HIGH),
    failed: loadWide(control, base + FAILED_LOW, base + FAILED_HIGH),
  };
}

export function placeOf(control: Control, worker: number): WorkerPlace {
  const base = baseOf(worker);
  return {
    claim: { from: Atomics.load(control, base + CLAIM_FROM), to: Atomics.load(control, base + CLAIM_TO) },
    phase: PHASES[Atomics.load(control, base + PHASE)] ?? 'idle',
    scenario: Atomics.load(control, base + SCENARIO),
    block: Atomics.load(control, base + BLOCK),
    offset: Atomics.load(control, base + OFFSET),
  };
}

/** Clears the words of a worker before it gets new work. The heartbeat keeps counting, because only a change of it says anything. */
export function resetWorker(control: Control, worker: number): void {
  for (let word = 0; word < HEARTBEAT; word++) Atomics.store(control, baseOf(worker) + word, 0);
  for (let entry = 0; entry < (control[ENTRIES] as number); entry++)
    Atomics.store(control, entryOf(control, worker, entry), 0);
}

/** The words that only the worker writes, by index: a worker process sends them, because it shares no memory. */
export function ownWords(control: Control, worker: number): number[] {
  const base = baseOf(worker);
  const words = Array.from({ length: HEARTBEAT - PHASE + 1 }, (_, word) => base + PHASE + word);
  for (let entry = 0; entry < (control[ENTRIES] as number); entry++) {
    const at = entryOf(control, worker, entry);
    // The block is there before its entry counts as taken.
    words.push(at + 1, at);
  }
  return words;
}

/** Where the words of one block in flight are: its scenario + 1 (0: none), then its number. */
export function entryOf(control: Control, worker: number, entry: number): number {
  const entries = control[ENTRIES] as number;
  return HEADER + (control[WORKERS] as number) * WORKER_WORDS + (worker * entries + entry) * ENTRY_WORDS;
}

/** How a run is stopped: trials in flight may end, or are dropped. */
export type Abort = 'finish' | 'drop';

export function abort(control: Control, how: Abort = 'drop'): void {
  Atomics.or(control, ABORT, how === 'finish' ? 1 : 2);
}

/** True: trials in flight are dropped. */
export function dropsInFlight(control: Control): boolean {
  return (Atomics.load(control, ABORT) & 2) !== 0;
}

/** While results wait to be taken, workers begin nothing new that waits for the outside world. */
export function hold(control: Control, held: boolean): void {
  Atomics.store(control, HELD, held ? 1 : 0);
}

export function isHeld(control: Control): boolean {
  return Atomics.load(control, HELD) !== 0;
}

export function isAborted(control: Control): boolean {
  return Atomics.load(control, ABORT) !== 0;
}

/** Nothing at or beyond `position` is needed any more; only ever lowers the limit. */
export function lowerLimit(control: Control, position: number): void {
  for (;;) {
    const limit = Atomics.load(control, LIMIT);
    if (position >= limit || Atomics.compareExchange(control, LIMIT, limit, position) === limit) return;
  }
}

export function limitOf(control: Control): number {
  return Atomics.load(control, LIMIT);
}

/** Says that the blocks of the scenario from `block` on (at least 1) are not needed any more. */
export function closeScenario(control: Control, scenario: number, block: number): void {
  Atomics.store(control, closingOf(control, scenario), block);
}

/** The first block of the scenario that is not needed any more; infinite while all are needed. */
export function closedAt(control: Control, scenario: number): number {
  if (scenario >= (control[SCENARIOS] as number)) return Number.POSITIVE_INFINITY;
  return Atomics.load(control, closingOf(control, scenario)) || Number.POSITIVE_INFINITY;
}

/** Scenarios of the plan that may end early; 0: none does. */
export function stoppableOf(control: Control): number {
  return control[SCENARIOS] as number;
}

/** At the end, one word for each scenario. */
function closingOf(control: Control, scenario: number): number {
  return control.length - (control[SCENARIOS] as number) + scenario;
}

function baseOf(worker: number): number {
  return HEADER + worker * WORKER_WORDS;
}

// Only one thread writes; a reader that catches it between the two words is wrong by 2^31 for one progress line.
function addWide(control: Control, low: number, high: number, amount: number): void {
  const sum = Atomics.load(control, low) + amount;
  if (sum < 2 ** 31) {
    Atomics.store(control, low, sum);
    return;
  }
  Atomics.store(control, low, sum % 2 ** 31);
  Atomics.add(control, high, Math.floor(sum / 2 ** 31));
}

function loadWide(control: Control, low: number, high: number): number {
  return Atomics.load(control, high) * 2 ** 31 + Atomics.load(control, low);
}
