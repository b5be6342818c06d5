import type { Json, JsonObject } from '../types/json.ts';
import type { FinishReason, MessagePart, Role, TokenUsage } from '../types/message.ts';
import type { Crossing } from '../types/recordings/crossing.ts';
import type { RecordedAttack } from '../types/sessions/recorded-attack.ts';
import type { SubjectStatus } from '../types/trial.ts';
import type { TrialOutcome } from '../values/passk-attributes.ts';

/**
 * Reads results that another program wrote, of one format. First it finds the runs in a source, then each run is read by
 * itself, on any worker and in any order: what is found are places, so that memory does not grow with what stands there.
 */
export interface ImporterType {
  readonly kind: 'importer';
  /** The word that names the format: lower-case words joined by `-`. */
  readonly type: string;
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
  /** What it can be asked besides, by name: one line each. Absent: nothing. It is given no other options. */
  readonly options?: Readonly<Record<string, string>>;
  /** True: a run may be spread over files, so all files of this format that are given together are one source. */
  readonly joinsFiles?: true;
  /** Ends of names, as `.csv`: a file that has one and is of no format is told what this one misses in it. Absent: none. */
  readonly extensions?: readonly string[];
  /**
   * Whether the source is of this format, by what stands in it; `folder`: the file is part of a source that is its whole
   * folder. Sees the beginnings of files only. Pure, and never throws for what stands there.
   */
  detects(source: SourceHead, options: ImportOptions): boolean | 'folder';
  /**
   * Finds the runs in the source. Yields now and then, so that others get the thread. Throws an `ImportError` for a source of
   * which nothing can be used; what is wrong with a part of it goes to `index.problem`.
   */
  index(source: ImportSource, index: ImportIndex, options: ImportOptions): Iterable<void>;
  /**
   * Whether two files with the bytes of this one may be two runs, because nothing in it tells which run it is of: no id and no
   * time. Pure. Absent: none may, so that a copy of a file counts once.
   */
  mayRepeat?(source: SourceHead, options: ImportOptions): boolean;
  /** What the set of this name tells of attacks; null: nothing. Pure. Absent: no set of this format tells anything. */
  attackOf?(set: string): RecordedAttack | null;
  /** One run, from the pieces that `index` added. Pure. What it throws costs this run alone: its trial is broken. */
  read(pieces: readonly Uint8Array[], context: ReadContext): ImportedRun;
}

/** A file, or a folder with all files in it. */
export interface SourceHead {
  /** The last part of its path. */
  readonly name: string;
  /** In order of their names, which are relative to the folder, with `/`; a file by itself has one. */
  readonly files: readonly {
    /** The file's name. */
    readonly name: string;
    /** The file's size. */
    readonly bytes: number;
  }[];
  /** The first bytes of the file at this position, at most 64 KiB. */
  head(file: number): Uint8Array;
}

/** A source with its bytes. */
export interface ImportSource extends SourceHead {
  /** Bytes from … to − 1 of the file at this position. Throws where it does not have so many. */
  read(file: number, from: number, to: number): Uint8Array;
}

/** What was asked besides the format, such as the columns of a table, by name. */
export type ImportOptions = Readonly<Record<string, string>>;

/** Takes down what an importer finds. */
export interface ImportIndex {
  /**
   * The set of this name: runs that are one sample, such as those of one agent on one benchmark. '': the source does not say.
   * Sets of one name in several sources are one.
   */
  set(name: string): RunSet;
  /** What every run of this source is read with. At most once. */
  share(shared: JsonObject): void;
  /**
   * What its trials follow from, such as the seed of a scenario that asks nobody. Where two sources say the same of a task, their
   * trials are the same, and the user is told. At most once for each task.
   */
  follows(task: string, from: string): void;
  /** A part of the source that cannot be used, such as its cut off end. */
  problem(problem: ImportProblem): void;
}

/** Where an importer puts the runs that it finds. */
export interface RunSet {
  /** A run, by where its pieces stand. Runs are trials in the order in which they were added. */
  add(...pieces: readonly RunPiece[]): void;
  /**
   * The same of a run that the source names, as in `"r7" of task "refund"`. No other run of the set has this name: where one
   * has, with the same bytes, one of the two counts; with other bytes the files are refused.
   */
  addNamed(name: string, ...pieces: readonly RunPiece[]): void;
  /** Trials that the source counts and does not tell one by one: so many runs, each read with the same pieces. */
  addCounted(trials: CountedTrials): void;
  /** Says that all runs of the task are the same one: nobody was asked for them, and nothing in them was drawn. */
  constant(task: string): void;
}

/** Attempts at a task that are alike, of which only the number is there. */
export interface CountedTrials extends CountedTrial {
  /** How many attempts are alike. */
  readonly count: number;
  /** Where it stands what is known of them, such as the name of their task; at least one, which says the file. */
  readonly pieces: readonly RunPiece[];
}

/** One of them. */
export interface CountedTrial {
  /** What became of it. */
  readonly outcome: TrialOutcome;
  /** The position of its task in what the source shares; 0 where its pieces tell the task. */
  readonly position: number;
}

/** Bytes from … to − 1 of a file of the source. */
export interface RunPiece {
  /** Position of the file in the source. */
  readonly file: number;
  /** The first byte. */
  readonly from: number;
  /** The byte after the last. */
  readonly to: number;
}

/** What of a source cannot be read. */
export interface ImportProblem {
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** Position of the file in the source. */
  readonly file: number;
  /** Byte at which it begins; absent: the file as a whole. */
  readonly at?: number;
}

/** What a run is read with. */
export interface ReadContext {
  /** What `index` found for all runs. */
  readonly shared: JsonObject;
  /** Name of the set that the run was added to: some sources have several verdicts, each a sample of its own. */
  readonly set: string;
  /** How the source is to be read. */
  readonly options: ImportOptions;
  /** Names of the files that the pieces stand in, as `SourceHead` has them. */
  readonly files: readonly string[];
  /** Of a trial that is only counted; null: it is a run that the source tells. */
  readonly counted: CountedTrial | null;
}

/**
 * One run as its source tells it. What is absent the source does not say; `unsaid` may tell why. Nothing is made up: no 0 for
 * what was not counted.
 */
export interface ImportedRun {
  /** Runs of the same task are attempts at the same thing: pass^k is counted over them. */
  readonly task: string;
  /**
   * What the task is crossed of, such as a user's task and an injected one: tasks that share a row or a column are alike, and
   * intervals of a set in which all tasks are crossed know it. Absent: it stands for itself.
   */
  readonly crossed?: Crossing;
  /** The source's own number of the attempt. */
  readonly attempt?: number;
  /** The source's own name of the run. */
  readonly id?: string;
  /** What its own oracles say, the one that decides first; []: nobody judged it. */
  readonly scores: readonly ImportedScore[];
  /** Why the run says nothing about its subject, such as a server that was down; absent: it does. */
  readonly error?: string;
  /** How the subject ended; absent: it completed. */
  readonly ending?: {
    /** How the run ended. */
    readonly status: SubjectStatus;
    /** Why, as the source says. */
    readonly reason: string;
  };
  /** What was said, in order; calls of tools and their results are parts of it. */
  readonly messages?: readonly ImportedMessage[];
  /** What the subject called, in order; absent: as its messages show it. */
  readonly calls?: readonly ImportedCall[];
  /** What it cost, line by line. Where lines of models tell their usage, that of messages is shown and not counted. */
  readonly costs?: readonly ImportedCost[];
  /** Milliseconds from its beginning to its end. */
  readonly durationMs?: number;
  /** What was retrieved or given as context. */
  readonly documents?: readonly {
    /** Where the document comes from; null: the source does not say. */
    readonly source: string | null;
    /** The document's text. */
    readonly text: string;
  }[];
  /** A state that the run changed. */
  readonly state?: {
    /** The world before the run. */
    readonly before: Json;
    /** The world after it. */
    readonly after: Json;
  };
  /** The calls that the source holds to be right. */
  readonly gold?: readonly {
    /** Name of the expected call. */
    readonly name: string;
    /** Arguments of the expected call. */
    readonly args: Json;
  }[];
  /** Texts that the source wants to be said. */
  readonly goldTexts?: readonly string[];
  /** What none of these fields has a word for, as the source has it. */
  readonly extra?: JsonObject;
  /** Why a field is not there or is not to be trusted, by its name. */
  readonly unsaid?: Readonly<Record<string, string>>;
}

/** One verdict or measure. */
export interface ImportedScore {
  /** Whose it is, such as `reward` or the name of a scorer. */
  readonly name: string;
  /** Null: it was to be given and was not. */
  readonly value: number | boolean | string | null;
  /** Whether it means success; absent: a number does from the bar on, true does. */
  readonly passed?: boolean;
  /** Why, as the source says. */
  readonly explanation?: string;
}

/** A message, as the source tells it. */
export interface ImportedMessage {
  /** Who speaks. */
  readonly role: Role;
  /** What is said. */
  readonly parts: readonly MessagePart[];
  /** Of an answer: the model that gave it. */
  readonly model?: string | undefined;
  /** Of an answer: its tokens, where all input counts as prompt, cached or not, and reasoning as completion. */
  readonly usage?: ImportedUsage | undefined;
  /** Of an answer: from the question to its end. */
  readonly latencyMs?: number | undefined;
  /** Why the model stopped. */
  readonly finish?: FinishReason | undefined;
  /** Of an answer: why it is not whole. */
  readonly problem?: string | undefined;
}

/** Parts that the source does not tell are absent. */
export type ImportedUsage = Partial<TokenUsage>;

/** A call of a tool, as the source tells it. */
export interface ImportedCall {
  /** Name of the tool. */
  readonly name: string;
  /** Who called, of several agents. */
  readonly by?: string;
  /** Arguments of the call. */
  readonly args: Json;
  /** What the tool answered. */
  readonly result?: Json;
  /** Why there is no result. */
  readonly problem?: string;
}

/** A cost, as the source tells it. */
export interface ImportedCost {
  /** What was paid for. */
  readonly kind: 'model' | 'tool' | 'connector' | 'judge' | 'user' | 'infrastructure';
  /** The model, tool or service. */
  readonly name: string;
  /** Calls or requests; absent: not told, and listed as one. */
  readonly units?: number;
  /** Tokens that were paid for. */
  readonly usage?: ImportedUsage;
  /** Dollars; absent: the source does not price it. */
  readonly usd?: number;
}

/** A source that cannot be used, or a run that cannot be read. */
export class ImportError extends Error {
  /** Always `ImportError`. */
  override readonly name = 'ImportError';
  /** Byte of the file at which it was noticed; absent: none in particular. */
  readonly at: number | undefined;

  /** True also for those of another copy of passk: the command and what a plug-in imports are two. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ImportError';
  }

  constructor(message: string, at?: number) {
    super(message);
    this.at = at;
  }
}
