import type { CounterName } from '../types/trial.ts';
import type { Json, JsonObject } from '../types/json.ts';

/**
 * A kind of subject that a plug-in brings: something to be tried that is neither a workflow nor an agent. Its trials run in
 * workers, and are judged, counted, journaled and reported as those of all subjects are.
 */
export interface SubjectType {
  readonly kind: 'subject';
  /** The word that cases name it by. */
  readonly type: string;
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
  /** True: the same trial of the same data is the same each time, wherever it runs; absent: false. */
  readonly repeatable?: boolean;
  /** Makes what runs trials, one at a time; called again where several are to run at once. What it rejects with breaks trials. */
  open(data: JsonObject, context: SubjectContext): OpenSubject | Promise<OpenSubject>;
}

/** What a subject is opened with besides its data. */
export interface SubjectContext {
  /** The case, as reports name it. */
  readonly name: string;
  /** A number in [0, 1) that depends on seed, case, trial and key only; anything else that is random is not repeatable. */
  draw(trial: number, key: string): number;
}

/** A subject that has been opened for trials, one at a time. */
export interface OpenSubject {
  /** One trial. What it rejects with breaks the trial: it is a fault of the harness, never of what is tried. */
  run(trial: number, signal: AbortSignal): SubjectTrial | Promise<SubjectTrial>;
  /** Ends what it opened; called when the run is over. */
  close?(): void | Promise<void>;
}

/** What happened in a trial. */
export interface SubjectTrial {
  /** What was said, in order. */
  readonly turns: readonly SubjectTurn[];
  /** What the subject called, in order; absent or null: nobody saw. */
  readonly calls?: readonly SubjectCall[] | null;
  /**
   * What it cost. `llmTokens` is the sum of what the answers tell, where it is absent. Calls and tokens of models that nobody
   * tells are unknown; any other counter that is absent is 0.
   */
  readonly counters?: Readonly<Partial<Record<CounterName, number>>>;
}

/** Something that was said. */
export interface SubjectTurn {
  /** `user`: to the subject; `assistant`: by it. */
  readonly role: 'user' | 'assistant';
  /** What is said. */
  readonly text: string;
  /** Of an answer: why it is not whole; absent: it is. */
  readonly problem?: string;
  /** Of an answer: milliseconds from the question to its end; absent: not measured. */
  readonly latencyMs?: number;
  /** Of an answer: what all model calls behind it took; absent: unknown. */
  readonly tokens?: number;
}

/** Something that a subject did. */
export interface SubjectCall {
  /** Name of what was called. */
  readonly name: string;
  /** Absent: not to be seen. */
  readonly args?: Json;
  /** What came back. */
  readonly result?: Json;
  /** Why there is no result; absent: there is. */
  readonly problem?: string;
}
