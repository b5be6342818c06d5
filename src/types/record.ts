import type { FaultKind } from './chaos.ts';
import type { Finding } from './reports/finding.ts';
import type { Json } from './json.ts';
import type { JudgeRuling } from './judges/judge.ts';
import type { FinishReason, MessagePart, Role, TokenUsage } from './message.ts';
import type { ModelFacts } from './model-test.ts';
import type { Amount, Count } from './numbers.ts';
import type { RecordingFacts } from './recording.ts';
import type { SessionFacts } from './session.ts';
import type { CounterName, ErrorCategory, HttpResponse, StoppedBy, SubjectStatus } from './trial.ts';

/** The version of everything below; a change of shape is a new number. */
export const RECORD_VERSION = 1;

/**
 * One trial as anybody may judge it, whatever kind of subject was tried: plain data, the same value for the same trial.
 * `null` says that something could not be seen from where passk stood; it never says that there was nothing.
 */
export interface TrialRecord {
  /** Names the shape of the record. */
  readonly version: typeof RECORD_VERSION;
  /** Number of the trial. */
  readonly trial: Count;
  /** How the trial ended. */
  readonly ending: Ending;
  /** What was said to the subject and by it, in order. */
  readonly turns: readonly Turn[];
  /** What the subject did, in the order asked; denied calls are among them. */
  readonly calls: readonly Call[] | null;
  /** What it cost, line by line. */
  readonly ledger: readonly LedgerLine[];
  /** Declared faults that struck, or count as if they had, in the order declared; null: none is declared. */
  readonly struck: readonly Strike[] | null;
  /** What changed in the world; null: it cannot be seen. */
  readonly world: WorldChange | null;
  /** What was retrieved or given as context. */
  readonly documents: readonly ContextDocument[] | null;
  /** What was counted, by name; absent: nobody told it. */
  readonly counters: Readonly<Partial<Record<CounterName, Count>>>;
  /** The verdict that a recorded trial brought along; null: it brought none. */
  readonly claimed: Finding | null;
  /** What only workflows have; null: the subject is none. */
  readonly workflow: WorkflowFacts | null;
  /** What only models have; absent: the subject is none. */
  readonly model?: ModelFacts;
  /** What only recorded trials have; absent: passk ran it. */
  readonly recording?: RecordingFacts;
  /** What only sessions have; absent: it is none. */
  readonly session?: SessionFacts;
  /** What judges made of it, in the order in which it names them; absent: none was asked. */
  readonly rulings?: readonly JudgeRuling[];
  /** How often the harness had broken the trial before, and it was run again; absent: never. */
  readonly retries?: Count;
  /** What was left out to keep the record within its limits; []: nothing. A record that was cut is not judged as if whole. */
  readonly cuts: readonly Cut[];
}

/** How a trial ended. `broken`: the harness failed, which says nothing about the subject. */
export type Ending =
  | {
      /** How the subject ended. */
      readonly status: SubjectStatus;
      /** Null: the subject does not say. */
      readonly stoppedBy: StoppedBy | null;
      /** The reason that it gave; null: none. */
      readonly reason: string | null;
      /** The kind of the error; null: there was none. */
      readonly category: ErrorCategory | null;
    }
  | {
      /** How the subject ended. */
      readonly status: 'broken';
      /** The reason that it gave; null: none. */
      readonly reason: string;
    };

/** One thing that somebody said. `assistant` is the subject. */
export interface Turn {
  /** Who speaks. */
  readonly role: Role;
  /** As it came through to whoever was spoken to. */
  readonly parts: readonly MessagePart[];
  /** What was to be said, where an attack changed it on the way; null: nothing did. */
  readonly intended: string | null;
  /** What is known of it as an answer; null: it is not the subject that speaks. */
  readonly answer: AnswerFacts | null;
}

/** What is known of an answer of the subject besides its words. */
export interface AnswerFacts {
  /** Why there is no whole answer; null: there is. */
  readonly problem: string | null;
  /** False: a fault came before the subject was asked, so that nothing here is its own. */
  readonly asked: boolean;
  /** Kinds of declared faults that struck on the way to it and back. */
  readonly struck: readonly FaultKind[];
  /** Their labels; those of the subject's own calls stand with the calls. */
  readonly struckBy: readonly string[];
  /** True: the calls behind it could be seen, and those of the record with its number are all of them. */
  readonly showsCalls: boolean;
  /** From the question to the end of the answer; null: not measured, or nobody was waited for. */
  readonly latencyMs: Amount | null;
  /** What arrived when, where the answer came in pieces. */
  readonly chunks: readonly Chunk[] | null;
  /** Of all model calls behind it together; null: unknown. */
  readonly tokens: Count | null;
  /** The same in parts. Each null: not every call told it. */
  readonly usage: { readonly [K in keyof TokenUsage]: Count | null } | null;
  /** Null: unknown. */
  readonly finish: FinishReason | null;
  /** The model that answered, as its provider names it; null: unknown, or no single one. */
  readonly model: string | null;
  /** What the same prompt is answered where nothing goes wrong; null: not asked. */
  readonly reference: string | null;
}

export interface Chunk {
  /** Since the question. */
  readonly atMs: Amount;
  /** The parts that the chunk adds. */
  readonly parts: readonly MessagePart[];
}

/** One call that a subject made. */
export interface Call {
  /** What kind of thing was called: `model`, `http`, `process`, `mcp`, `file`, `env`, `host`, or `tool` where nobody can say. */
  readonly port: string;
  /** All names that the call goes by, the most telling first. */
  readonly names: readonly string[];
  /** Who called: a node, or an agent of several; '': the subject. */
  readonly by: string;
  /** Position of the turn whose answer it was made for. */
  readonly turn: Count;
  /** As asked; null: not to be seen. */
  readonly args: Json;
  /** What came back; null with a problem. */
  readonly result: Json;
  /** Why the call failed; null: it did not. */
  readonly problem: string | null;
  /** True: the subject's policy refused, so nothing happened anywhere. */
  readonly denied: boolean;
  /** Labels of the faults that struck this call. */
  readonly struckBy: readonly string[];
}

/** A declared fault that struck a trial. */
export interface Strike {
  /** The name of the fault. */
  readonly fault: string;
  /** Its kind. */
  readonly kind: FaultKind;
  /** How often it fired; 0: it did not, and being in force is enough. */
  readonly fired: Count;
}

/** What can cost: the subject's calls of models, tools and connectors, and what trying it takes besides. */
export const LEDGER_KINDS = ['model', 'tool', 'connector', 'judge', 'user', 'infrastructure'] as const;

export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** One thing that costs, of one attempt at one trial. */
export interface LedgerLine {
  /** What the line is for. */
  readonly kind: LedgerKind;
  /** The backend, tool or service. */
  readonly name: string;
  /** Attempts at the trial, or at an answer that an assertion refused, from 1. */
  readonly attempt: Count;
  /** Calls, requests or whatever else the price is per. */
  readonly units: Amount;
  /** Null where nothing was counted in tokens. */
  readonly usage: TokenUsage | null;
  /** Billionths of a dollar; null: not priced. */
  readonly nanoUsd: Amount | null;
}

/** What one thing cost over several trials. */
export interface LedgerSum extends LedgerLine {
  /** Trials that have such a line. */
  readonly trials: Count;
}

/** What the trial changed. */
export interface WorldChange {
  /** Files by path, as they stood when the trial had ended; null: a folder. Only what the trial put there or was looked at. */
  readonly files: Readonly<Record<string, string | null>> | null;
  /** The state of a world, where there is one. */
  readonly state: {
    /** The state before; null: there was none. */
    readonly before: Json;
    /** The state after; null: there is none. */
    readonly after: Json;
  } | null;
}

export interface ContextDocument {
  /** Its name or address; null: unknown. */
  readonly source: string | null;
  /** The text of the document. */
  readonly text: string;
}

/** What checks of workflows look at beyond all that. */
export interface WorkflowFacts {
  /** Visited nodes of the top-level walk in order, repeats included. */
  readonly path: readonly string[];
  /** The last node that ran; null: none did. */
  readonly lastNode: string | null;
  /** The node that failed; null: none did. */
  readonly erroredNode: string | null;
  /** The output of the workflow. */
  readonly finalValue: Json;
  /** The HTTP response; null: there is none. */
  readonly response: HttpResponse | null;
  /** The last output of each top-level node that gave one. */
  readonly outputs: Readonly<Record<string, Json>>;
  /** Branches that top-level nodes took, in order. */
  readonly branches: readonly {
    /** The node. */
    readonly node: string;
    /** The branch that it took. */
    readonly branch: string;
  }[];
  /** Microseconds since the run began: virtual ones, and real ones where answers take real time. */
  readonly elapsedUs: Amount;
}

/** What stands cut short in a record. */
export type Cut = CutText | CutList;

export interface CutText {
  /** JSON pointer to it. */
  readonly at: string;
  /** Of the whole text, as UTF-8. */
  readonly bytes: Count;
  /** The SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string;
}

/** A list of which only the first entries are there. */
export interface CutList {
  /** JSON pointer to it. */
  readonly at: string;
  /** How many it had. */
  readonly entries: Count;
}
