import type { HttpRequest, Ports, ProcessRequest } from '../plugin/request.ts';
import type { McpRequest } from '../plugin/mcp-request.ts';
import type { SeedWords } from '../types/plan.ts';
import { COUNTERS, type CounterName } from '../types/trial.ts';
import { zeros } from '../values/zeros.ts';
import type { RealTime } from '../types/real-time.ts';
import type { TraceEvent } from '../types/trace.ts';
import { Waits } from './waits.ts';

/** Positions of counters, so that the hot path never looks up a name. */
export const COUNTER = Object.fromEntries(COUNTERS.map((name, index) => [name, index])) as Readonly<
  Record<CounterName, number>
>;

/** Receives what happens, when someone wants to see it. */
export interface Recorder {
  event(event: TraceEvent): void;
  /** A trial that failed, as the JSON text of a `RecordedTrace`; null or absent: it is shown without. */
  keep?(trial: number, end: TraceEvent | null): string | null;
}

/** What bounds and steers all walks of one program. */
export interface TrialRules {
  readonly words: SeedWords;
  readonly timeoutUs: number;
  /** Tokens after which no more model request is made; Infinity: no budget. */
  readonly maxTokens: number;
  /** What a human decides at a pause, by node id. */
  readonly approvals: ReadonlyMap<string, { readonly resume: boolean; readonly afterUs: number }>;
  readonly keepPrompts: boolean;
  readonly keepBranches: boolean;
  /** Requests that go out, and denials. */
  readonly keepRequests: boolean;
  /** True: nothing is asked or done; absent: all is. */
  readonly dryRun?: true;
}

export interface DeclinedQuestion {
  readonly server: string;
  readonly message: string;
}

/** What the walks of one trial share. Reused from trial to trial by `begin`. */
export class TrialState {
  readonly rules: TrialRules;
  readonly ports: Ports;
  readonly counters: number[] = zeros(COUNTERS.length);
  /** Tallies to count into: given by whoever runs trials. */
  nodeVisits: number[] = [];
  edgeVisits: number[] = [];
  trial = 0;
  totalSteps = 0;
  modelRequests = 0;
  /** Capability bits seen in this trial: positions 0–31 and 32–63 of the matrix. */
  observedLow = 0;
  observedHigh = 0;
  /** The first backend that answered without telling its tokens, so that their counters are too low; null: none did. */
  untoldBy: string | null = null;
  /** Why the harness failed; null: it has not. */
  brokenBy: string | null = null;
  /** The first request that nothing had answered when the time was up; null: there was none. */
  unanswered: string | null = null;
  realTime: RealTime | null = null;
  recorder: Recorder | null = null;
  /** What the walks of this trial wait for, in the asynchronous driver. */
  readonly waits = new Waits();
  readonly prompts: { node: string; text: string }[] = [];
  /** Characters of all prompts that are kept. */
  promptLength = 0;
  readonly requests: { node: string; request: HttpRequest | ProcessRequest | McpRequest }[] = [];
  readonly denials: { node: string; message: string }[] = [];
  /** Questions of MCP servers to a user that nothing answered. */
  readonly declined: DeclinedQuestion[] = [];
  readonly branchNodes: number[] = [];
  readonly branchLabels: string[] = [];

  constructor(rules: TrialRules, ports: Ports) {
    this.rules = rules;
    this.ports = ports;
  }

  begin(trial: number): void {
    this.trial = trial;
    this.counters.fill(0);
    this.totalSteps = 0;
    this.modelRequests = 0;
    this.observedLow = 0;
    this.observedHigh = 0;
    this.untoldBy = null;
    this.brokenBy = null;
    this.unanswered = null;
    this.declined.length = 0;
    if (this.rules.keepPrompts) {
      this.prompts.length = 0;
      this.promptLength = 0;
    }
    if (this.rules.keepRequests) {
      this.requests.length = 0;
      this.denials.length = 0;
    }
    if (this.rules.keepBranches) {
      this.branchNodes.length = 0;
      this.branchLabels.length = 0;
    }
  }

  /** The harness failed: the trial is over. The first cause stays. */
  breakBy(cause: string): void {
    this.brokenBy ??= cause;
    this.waits.halt();
  }

  count(counter: number, amount: number): void {
    this.counters[counter] = (this.counters[counter] as number) + amount;
  }
}
