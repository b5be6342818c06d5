/** All keys begin with this, so that an operator can grant access to these alone. */
const PREFIX = 'passk';

/** Runs that take workers, by when they began. */
export const RUNS_KEY: string = `${PREFIX}:runs`;

/** BullMQ's own keys: its queue of a run has the run's name. */
export const JOBS_PREFIX: string = `${PREFIX}:jobs`;

/** True for the name of a run as hosts make it; other members of the set are no runs of passk. */
export function isRunName(text: string): boolean {
  return /^[0-9a-z]{1,12}-[0-9a-f]{12}$/.test(text);
}

/** The keys of one run. */
export interface RunKeys {
  /** What the run is: a frame. */
  readonly head: string;
  /** Set for a while, again and again, by a host that lives. */
  readonly alive: string;
  /** Plans of scenarios by position: frames. */
  readonly plans: string;
  /** Results on their way to the host: a stream of frames. */
  readonly results: string;
  /** What each worker is doing, as JSON. */
  readonly workers: string;
  /** Why workers do not take part, as JSON. */
  readonly refused: string;
  /** Scenarios that may still ask MCP servers, as JSON; absent: none of the run ever does. */
  readonly askers: string;
  /** By claim: the block that is being run alone, because workers died of the claim. */
  readonly at: string;
}

export function runKeys(run: string): RunKeys {
  const key = (name: string): string => `${PREFIX}:run:${run}:${name}`;
  return {
    head: key('head'),
    alive: key('alive'),
    plans: key('plans'),
    results: key('results'),
    workers: key('workers'),
    refused: key('refused'),
    askers: key('askers'),
    at: key('at'),
  };
}

/** A host that is silent for so long is gone, and its run is removed. A host that lives publishes its run again. */
export const ALIVE_MS = 30_000;

/** How often a claim is handed out again. A block that has cost one worker more than this is broken. */
export const MAX_REDELIVERIES = 2;
