import { type Control, ENTRIES, entryOf, MOST_IN_FLIGHT, WORKERS } from './control.ts';

/** One block of a program that is not pure, begun and not ended. */
export interface BlockInFlight {
  readonly scenario: number;
  readonly block: number;
}

/** Writes into a free entry that a block begins. False: too many are in flight in all workers together, so it must not. */
export function publishInFlight(
  control: Control,
  worker: number,
  entry: number,
  { scenario, block }: BlockInFlight,
): boolean {
  const at = entryOf(control, worker, entry);
  Atomics.store(control, at + 1, block);
  Atomics.store(control, at, scenario + 1);
  // Said first and counted then: two workers may both step back, but never both go on.
  if (inFlightCount(control) <= (control[MOST_IN_FLIGHT] as number)) return true;
  clearInFlight(control, worker, entry);
  return false;
}

export function clearInFlight(control: Control, worker: number, entry: number): void {
  Atomics.store(control, entryOf(control, worker, entry), 0);
}

/** What a worker has in flight, as last published. */
export function inFlightOf(control: Control, worker: number): BlockInFlight[] {
  const inFlight: BlockInFlight[] = [];
  for (let entry = 0; entry < (control[ENTRIES] as number); entry++) {
    const at = entryOf(control, worker, entry);
    const scenario = Atomics.load(control, at) - 1;
    if (scenario >= 0) inFlight.push({ scenario, block: Atomics.load(control, at + 1) });
  }
  return inFlight;
}

function inFlightCount(control: Control): number {
  const workers = control[WORKERS] as number;
  const entries = control[ENTRIES] as number;
  // Each worker has its share: nothing to count.
  if (workers * entries <= (control[MOST_IN_FLIGHT] as number)) return 0;
  let count = 0;
  for (let worker = 0; worker < workers; worker++) {
    for (let entry = 0; entry < entries; entry++)
      if (Atomics.load(control, entryOf(control, worker, entry)) !== 0) count++;
  }
  return count;
}
