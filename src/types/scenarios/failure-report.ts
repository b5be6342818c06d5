import type { FaultKind } from '../chaos.ts';
import type { Finding } from '../reports/finding.ts';
import type { Count } from '../numbers.ts';
import type { TrialRecord } from '../record.ts';
import type { StoppedBy, SubjectStatus } from '../trial.ts';
import type { TraceContext, TraceEvent } from '../trace.ts';

/** What a declared fault did over all trials. */
export interface FaultCount {
  /** What is declared, in short. */
  readonly fault: string;
  /** What kind of fault it is. */
  readonly kind: FaultKind;
  /** How often it fired. */
  readonly fired: Count;
  /** Trials in which it did. */
  readonly trials: Count;
  /** True: nothing reads what it does, so that it proves nothing; absent: something may. */
  readonly unread?: true;
}

/** Trials in which an invariant was judged, or was not. */
export interface RulingCount {
  /** The check's name. */
  readonly check: string;
  /** Obeyed or disobeyed: a rule about faults only where one of them struck. */
  readonly judged: Count;
  /** Of these, judged on an answer that a fault struck. */
  readonly struck: Count;
  /** Of these, disobeyed by such an answer. */
  readonly disobeyedStruck: Count;
  /** Nobody could tell whether it was obeyed. */
  readonly undecided: Count;
  /** Faults came before the subject was asked. */
  readonly unasked: Count;
  /** Of those judged, disobeyed where the check only advises, so that the trial passes all the same. */
  readonly advised: Count;
}

/** A failing or broken trial as the one who ran it saw it. */
export interface FailureDetail {
  /** Counts from 0. */
  readonly trial: Count;
  /** Whether the subject failed, or the harness broke the trial. */
  readonly verdict: 'failed' | 'broken';
  /** Failed checks only. */
  readonly findings: readonly Finding[];
  /** Nodes in the order walked, repeats included. */
  readonly path: readonly string[];
  /** How the subject ended; null: it did not. */
  readonly status: SubjectStatus | null;
  /** What made it end there; null when it is broken. */
  readonly stoppedBy: StoppedBy | null;
  /** Why, as the subject says; null: it does not. */
  readonly reason: string | null;
  /** Why the harness failed; null unless `broken`. */
  readonly brokenBy: string | null;
  /** Declared faults that fired in this trial; absent: none is declared. */
  readonly fired?: readonly string[];
  /** The trial step by step, recorded while it ran; absent where it can be run again, because it is pure. */
  readonly trace?: RecordedTrace;
  /** What was said and done, where the subject is no workflow; absent where it is one, or others are kept instead. */
  readonly record?: TrialRecord;
}

/** What was kept of a trial's trace. */
export interface RecordedTrace {
  /** What happened, in order. */
  readonly events: readonly TraceEvent[];
  /** Events after these that did not fit. */
  readonly omitted: number;
}

/** A failing or broken trial that is shown in full. */
export interface FailureReport extends FailureDetail {
  /** The command that shows this trial, or the call for a scenario made in memory; its file is named as `file` is. Null: it was
   * live and was not recorded, or functions of a program answered it. */
  readonly replay: string | null;
  /** The trace that agents, models and servers were told to take part in; absent: they were not told. */
  readonly traceContext?: TraceContext;
}
