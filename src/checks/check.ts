import type { HttpRequest, ProcessRequest } from '../plugin/request.ts';
import type { McpRequest } from '../plugin/mcp-request.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Finding } from '../types/reports/finding.ts';
import type { Json } from '../types/json.ts';
import type { JudgeRuling } from '../types/judges/judge.ts';
import type { ModelFacts } from '../types/model-test.ts';
import type { Call, TrialRecord, Turn } from '../types/record.ts';
import type { CounterName, HttpResponse, StoppedBy, SubjectStatus } from '../types/trial.ts';

/** What checks may see of a finished trial. Valid during the call only: the driver reuses it. */
export interface TrialView {
  readonly status: SubjectStatus;
  readonly stoppedBy: StoppedBy;
  /** Position of the last entered top-level node; −1: none. */
  readonly lastNode: number;
  /** Position of the node an errored run stopped at; −1: not errored. */
  readonly erroredNode: number;
  readonly reason: string | null;
  /** Kinds of declared faults that struck in the trial, as a sum of `KIND_BITS`; 0: none is declared, or none did. */
  readonly struck: number;
  /** Positions of visited top-level nodes; only the first `pathLength` count. */
  readonly path: Int32Array;
  readonly pathLength: number;
  /** How many steps from the first on are at these positions. */
  commonSteps(expected: Int32Array): number;
  readonly finalValue: Json;
  readonly response: HttpResponse | null;
  /** Since the run began, in microseconds: virtual ones, and real ones where answers take real time. */
  readonly elapsedUs: number;
  counter(name: CounterName): number;
  /** The first backend that answered without telling its tokens: their counters are lower bounds. Null or absent: none did. */
  readonly untoldBy?: string | null;
  /** A top-level node's last output; undefined when it gave none. */
  output(node: number): Json | undefined;
  /** True when the node gave this branch label in any visit. Kept only when a check needs branches. */
  tookBranch(node: number, branch: string): boolean;
  /** Prompts in the order sent, children's included. Kept only when a check needs prompts. */
  prompts(): readonly SentPrompt[];
  /** Requests that left the workflow, in the order asked, children's included; denied ones are not among them. */
  requests(): readonly SentRequest[];
  /** What the subject's policy refused, in the order asked. Kept, as requests are, only when a check needs them. */
  denials(): readonly Denial[];
  /** What was said to the subject and by it; null: it is a workflow, whose one answer is its outcome. */
  turns(): readonly Turn[] | null;
  /** What the subject did; null: not to be seen, or a workflow, whose requests are there. */
  calls(): readonly Call[] | null;
  /** What only models have; null: the subject is none. */
  model(): ModelFacts | null;
  /** The verdict that a recorded trial brought along; null: it brought none, or passk ran it. */
  claimed(): Finding | null;
  /** The state of its world before and after; null: there is no world, or nobody saw it. */
  state(): { readonly before: Json; readonly after: Json } | null;
  /** The calls that a file or the source of a recorded trial holds to be right; null: nobody names any. */
  gold(): readonly { readonly name: string; readonly args: Json }[] | null;
  /** What judges made of the trial; absent: none was asked. */
  rulings?(): readonly JudgeRuling[];
  /** The trial as a whole; absent: nobody has made a record of it. */
  record?(): TrialRecord;
  /** The content of a file of the trial's world after the run; null: no such file. */
  file(path: string): { readonly kind: 'file' | 'dir'; readonly content: string } | null;
}

export interface SentPrompt {
  readonly node: string;
  /** All messages' contents joined with newlines. */
  readonly text: string;
}

export interface SentRequest {
  readonly node: string;
  readonly request: HttpRequest | ProcessRequest | McpRequest;
}

export interface Denial {
  readonly node: string;
  readonly message: string;
}

/** What a check compares, where that can be said in numbers. It means what `holds` says. */
export type PlainCheck =
  | { readonly kind: 'path'; readonly positions: Int32Array; readonly isExact: boolean }
  | { readonly kind: 'bound'; readonly counter: CounterName; readonly least: number; readonly most: number };

/** One compiled expectation. */
export interface Check {
  /** Stable and unique within a scenario: `status`, `path`, `max_llm_calls`, `value pick.value`. */
  readonly name: string;
  /** Where its file asks for it, from the part that is the scenario: `['expected', 'says', 0]`; []: no part by itself does. */
  readonly key: Pointer;
  readonly needsPrompts: boolean;
  readonly needsBranches: boolean;
  readonly needsRequests: boolean;
  readonly needsFiles: boolean;
  /** Looks at how and where the trial ended and at nothing else. */
  readonly onEnding: boolean;
  /** The check as plain numbers, for drivers that judge without calling anybody; null: only `holds` can tell. */
  readonly plain: PlainCheck | null;
  /**
   * What an invariant made of the trial, as a sum of `RULING` bits, where it need not be judged in each trial or cannot be
   * told of each; null: `holds` says all.
   */
  readonly ruling: ((view: TrialView) => number) | null;
  /** Fast answer, called for every trial; allocates nothing where it can. */
  holds(view: TrialView): boolean;
  /** The same answer in full, called for trials that are shown. */
  explain(view: TrialView): Finding;
}
