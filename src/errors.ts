import { LONGEST_MESSAGE, visibleText } from './text/visible-text.ts';
import type { Issue, Location } from './types/issue.ts';

/** Why passk itself could not run. What a subject does wrong is data, never one of these. */
export type ErrorCode =
  | 'USAGE' // an option or flag that cannot be used
  | 'INPUT' // files that cannot be read, parsed or validated
  | 'PLUGIN' // a plug-in that cannot be loaded or has the wrong shape
  | 'PLAN' // a run that cannot be planned (too many trials, no scenario selected, …)
  | 'POOL' // workers that cannot be started or kept alive
  | 'QUEUE' // a queue that cannot be reached or used
  | 'OUTPUT' // a report or file that cannot be written
  | 'INTEGRITY' // results that contradict each other or their plan
  | 'INTERNAL'; // a fault of passk

/** What a `PasskError` says besides its code and message. */
export interface PasskErrorOptions {
  /** Where the problem lies in a file. */
  readonly at?: Location;
  /** What to do, one sentence. */
  readonly hint?: string;
  /** All problems together, when there is more than one. */
  readonly issues?: readonly Issue[];
  /** The error behind it. */
  readonly cause?: unknown;
}

const BRAND = Symbol.for('passk.error');

/** Problems that `message` names; the others are counted. */
const MOST_NAMED = 5;

/**
 * The one error class of passk: what happened, where, and what to do. Whoever sees only `message`, as in the log of a
 * test runner, learns where it lies and what the first of `issues` are.
 */
export class PasskError extends Error {
  /** Always `PasskError`. */
  override readonly name = 'PasskError';
  /** What kind of problem it is; stable, so that programs can compare it. */
  readonly code: ErrorCode;
  /** What `message` says before it names places and problems. */
  readonly summary: string;
  /** Where the problem lies in a file. */
  readonly at: Location | undefined;
  /** What can be done about it. */
  readonly hint: string | undefined;
  /** All problems, where there are several. */
  readonly issues: readonly Issue[];

  /** True also for those of another copy of passk: the command and what a plug-in imports are two. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  constructor(code: ErrorCode, message: string, options: PasskErrorOptions = {}) {
    super(wholeMessage(code, message, options), options.cause === undefined ? undefined : { cause: options.cause });
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    this.summary = message;
    this.at = options.at;
    this.hint = options.hint;
    this.issues = options.issues ?? [];
  }
}

function wholeMessage(code: ErrorCode, summary: string, { at, issues = [] }: PasskErrorOptions): string {
  // What a run lacks is all in the sentence.
  if (code === 'USAGE') return summary;
  const problems = issues.filter(({ severity }) => severity === 'error');
  if (problems.length === 0) return at === undefined ? summary : `${placeText(at)} ${summary}`;
  const lines = problems.slice(0, MOST_NAMED).map(problemText);
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`… and ${more} more, in \`issues\`.`);
  return `${summary.replace(/\.$/, '')}: ${lines.join('\n  ')}`;
}

function problemText({ at, message, hint }: Issue): string {
  const place = at === undefined ? [] : [placeText(at)];
  return [...place, message, ...(hint === undefined ? [] : [hint])].map(shown).join(' ');
}

function shown(text: string): string {
  return visibleText(text, { longest: LONGEST_MESSAGE });
}

/** `file:line:column`, or the file alone. */
export function placeText({ file, line, column, frame }: Location): string {
  // A place without a frame is about the file as a whole.
  return `${visibleText(file)}${frame === undefined && line === 1 && column === 1 ? '' : `:${line}:${column}`}`;
}
