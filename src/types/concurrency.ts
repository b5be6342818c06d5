/**
 * Trials in flight at once, over all workers and the host, when nobody says how many. No number of cores is in it: how many
 * requests an agent or a model gets at once must not depend on the machine that asks.
 */
export const DEFAULT_CONCURRENCY = 32;

/** Trials in flight at once: each holds a runner and, mostly, a socket. */
export const MAX_CONCURRENCY = 100_000;
