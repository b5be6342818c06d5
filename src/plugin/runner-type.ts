import type { ModelAnswer, ModelQuestion } from '../types/model-test.ts';
import type { Permissions } from '../types/permissions.ts';

/**
 * A way of asking models: what is started, how it is spoken to, and how it is ended. One runner serves the models of one spec
 * file; many are open at once, and none may disturb another.
 */
export interface RunnerType {
  readonly kind: 'runner';
  /** The word that `--runner` and conform.toml name it by. */
  readonly type: string;
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
  /**
   * Words of the validators by which the runner judges answers itself: it gives verdicts, and shows no answer. Tests that name
   * other validators are errors of their file. Absent: passk judges.
   */
  readonly judges?: readonly string[];
  /** Questions at a time at most, whatever the user says; absent: as many as `OpenRunner.atOnce` says when it is open. */
  readonly atOnce?: number;
  /** Says what is not granted or not there; called before anything is started. []: nothing is. Absent: nothing is needed. */
  problems?(start: RunnerStart): readonly string[] | Promise<readonly string[]>;
  /** Starts what answers. Rejects with an error whose message says why it cannot, with what the process has written. */
  open(start: RunnerStart): Promise<OpenRunner>;
}

/** What a runner starts with. Paths are absolute. */
export interface RunnerStart {
  /** As the spec file's folder calls it. */
  readonly plugin: string;
  /** As conform.toml calls it. */
  readonly runtime: string;
  /** The program that registers the models; null: there is none. */
  readonly entry: string | null;
  /** What runs the entry: a program and its arguments, before the path of the entry; []: nothing is said. */
  readonly command: readonly string[];
  /** What runs the native executor, in place of `entry`; null: there is none. */
  readonly executor: string | null;
  /** The spec file itself, for runners that hand it on. */
  readonly spec: string;
  /** Where processes run. */
  readonly cwd: string;
  /** A server that runs already; null: one is started. */
  readonly url: string | null;
  /** All models that will be asked, as the spec file names them. */
  readonly models: readonly string[];
  /** What processes see of passk's environment: granted variables alone. */
  readonly env: Readonly<Record<string, string>>;
  /** What the user grants. */
  readonly permissions: Permissions;
  /** Milliseconds that starting may take. */
  readonly startupTimeoutMs: number;
  /** For one look whether the server answers. */
  readonly healthTimeoutMs: number;
  /** Ends what has been started. */
  readonly signal: AbortSignal;
  /**
   * A text without the values of `env`. passk applies it to answers, errors and `log`. A runner that cuts a text short applies it
   * before, because the cut could leave half a key.
   */
  readonly scrub: (text: string) => string;
  /** Takes a line that its processes print. The last ones are shown with failures, and all are kept where the user asks. */
  readonly log: (line: string) => void;
}

/** A way of asking models that has been started. */
export interface OpenRunner {
  /** Questions at a time; null: as many as one likes. */
  readonly atOnce: number | null;
  /**
   * One question. Resolves to what it came to within its time limit, be it a problem, and has ended it then as far as that can be
   * done: an answer that comes late is never taken for another one's. What is broken is started anew for the next question.
   * Rejects only when the harness failed, which says nothing about the model, or with the signal's reason.
   */
  ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>;
  /** Ends all that it started. Never rejects. */
  close(): Promise<void>;
}
