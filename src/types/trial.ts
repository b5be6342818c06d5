import type { Finding } from './reports/finding.ts';
import type { Json } from './json.ts';
import type { Amount, Count } from './numbers.ts';

/** How a subject can end, in the order in which tallies and reports keep it. */
export const STATUSES = ['completed', 'failed', 'timed_out', 'paused', 'errored'] as const;

/** How a subject ended. Never says anything about passk itself. */
export type SubjectStatus = (typeof STATUSES)[number];

/**
 * What can make it end there, in the order in which tallies and reports keep it. `leaf`: a node without out-edges.
 * `dead_end`: a branch label, or the lack of one, that no edge answers. `loop_spent`: only loop edges answered and
 * their budgets are used up.
 */
export const STOPS = [
  'terminate',
  'fail',
  'leaf',
  'dead_end',
  'loop_spent',
  'pause',
  'timeout',
  'denial',
  'error',
  'step_limit',
] as const;

/** What made it end there. */
export type StoppedBy = (typeof STOPS)[number];

/** The verdict on one trial. `broken`: the harness failed, which says nothing about the subject. */
export type Verdict = 'passed' | 'failed' | 'broken';

/** The families of errors a node can stop a run with; each has its own message prefix. */
export const ERROR_CATEGORIES = [
  'config',
  'workflow',
  'policy',
  'capability',
  'tool',
  'intelligence',
  'mcp',
  'schema',
  'timeout',
  'io',
  'json',
] as const;
/** What kind of error ended a walk. */
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];

/** The reply a `respond` node shaped. */
export interface HttpResponse {
  /** The HTTP status. */
  readonly status: Count;
  /** The content type. */
  readonly contentType: string;
  /** The body. */
  readonly body: string;
}

/** How one run of a subject ended. */
export interface Outcome {
  /** How the run ended. */
  readonly status: SubjectStatus;
  /** What ended it. */
  readonly stoppedBy: StoppedBy;
  /** The most recently entered node; null when none was entered. */
  readonly lastNode: string | null;
  /** Visited nodes of the top-level walk in order, repeats included. */
  readonly path: readonly string[];
  /** The fail node's reason, the error's text, or what was not answered when the time was up; null: there is none. */
  readonly reason: string | null;
  /** What kind of error it was; null: none. */
  readonly category: ErrorCategory | null;
  /** The last node's output. */
  readonly finalValue: Json;
  /** Present only on completed runs that passed a respond node. */
  readonly response: HttpResponse | null;
  /** What was counted, by name. */
  readonly counters: Readonly<Record<CounterName, Count>>;
  /** Microseconds since the run began: virtual ones and, but in reports, real ones where answers take real time. */
  readonly elapsedUs: Amount;
}

/** One trial, shown in full. */
export interface TrialResult {
  /** Number of the trial. */
  readonly trial: Count;
  /** What became of it. */
  readonly verdict: Verdict;
  /** Null when the trial is broken before it had an outcome. */
  readonly outcome: Outcome | null;
  /** Failed checks only, unless asked for all. */
  readonly findings: readonly Finding[];
  /** Why the harness failed; null unless `broken`. */
  readonly brokenBy: string | null;
}

/** The counters of a trial, in the order in which tallies and reports keep them. */
export const COUNTERS = [
  'llmCalls',
  'llmTokens',
  'promptTokens',
  'completionTokens',
  'nodeExecutions',
  'nodeFailures',
  'policyDenials',
  'retries',
  'repairs',
  'toolCalls',
  'writtenBytes',
  'faults',
  'workflowStarts',
  'workflowCompletions',
  'workflowFailures',
  'workflowTimeouts',
  'workflowErrored',
] as const;

/** What is counted in every trial. */
export type CounterName = (typeof COUNTERS)[number];

/** The words of each counter in files: its own, and those of its bounds. */
export const COUNTER_KEYS = Object.fromEntries(
  COUNTERS.map((counter) => {
    // The reference calls it that.
    const key = counter === 'llmTokens' ? 'total_tokens' : counter.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);
    return [counter, { key, min: `min_${key}`, max: `max_${key}` }];
  }),
) as Readonly<Record<CounterName, { readonly key: string; readonly min: string; readonly max: string }>>;
