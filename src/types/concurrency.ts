/** Trials in flight in one worker, when nobody says how many. */
export const LANES_PER_WORKER = 16;

/** Trials in flight at once: each holds a lane and, mostly, a socket. */
export const MAX_CONCURRENCY = 100_000;
