import { type Control, LANES, laneOf, MOST_IN_FLIGHT, WORKERS } from './control.ts';

/** One block of a program that is not pure, begun and not ended. */
export interface Flight {
  readonly scenario: number;
  readonly block: number;
}

/** Says that a block begins on a lane. False: too many are in flight in all workers together, and it must not. */
export function publishFlight(control: Control, worker: number, lane: number, { scenario, block }: Flight): boolean {
  const at = laneOf(control, worker, lane);
  Atomics.store(control, at + 1, block);
  Atomics.store(control, at, scenario + 1);
  // Said first and counted then: two workers may both step back, but never both go on.
  if (flightCount(control) <= (control[MOST_IN_FLIGHT] as number)) return true;
  clearFlight(control, worker, lane);
  return false;
}

export function clearFlight(control: Control, worker: number, lane: number): void {
  Atomics.store(control, laneOf(control, worker, lane), 0);
}

/** What a worker has in flight, as last published. */
export function flightsOf(control: Control, worker: number): Flight[] {
  const flights: Flight[] = [];
  for (let lane = 0; lane < (control[LANES] as number); lane++) {
    const at = laneOf(control, worker, lane);
    const scenario = Atomics.load(control, at) - 1;
    if (scenario >= 0) flights.push({ scenario, block: Atomics.load(control, at + 1) });
  }
  return flights;
}

function flightCount(control: Control): number {
  const workers = control[WORKERS] as number;
  const lanes = control[LANES] as number;
  // Each worker has its share: nothing to count.
  if (workers * lanes <= (control[MOST_IN_FLIGHT] as number)) return 0;
  let count = 0;
  for (let worker = 0; worker < workers; worker++) {
    for (let lane = 0; lane < lanes; lane++) if (Atomics.load(control, laneOf(control, worker, lane)) !== 0) count++;
  }
  return count;
}
