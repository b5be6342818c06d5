import { digestOf } from '../records/plan-digest.ts';
import type { ShadowTask } from '../types/canary/canary-shadow.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { LONGEST_LINE } from './outcome-lines.ts';
import { answersOf, type ShadowTrial } from './shadow-task.ts';

/** Characters of one text, from the most to what always fits. */
const LENGTHS = [8192, 1024, 128, 0];
/** Messages of which is written what was said. */
const MOST_MESSAGES = 50;
/** An outcome takes texts of 500 characters. */
const LONGEST_ERROR = 400;

export interface OutcomeParts {
  readonly version: string;
  readonly seed: number;
  /** When it ran, such as 2026-11-26T09:30:12.000Z. */
  readonly at: string;
  /** True: a write that was refused is a violation; false: nobody can tell what the trial would have come to. */
  readonly writesViolate: boolean;
  /** Null: not all of it is priced. */
  readonly costUsd: number | null;
}

/**
 * The line of a trial, as a stage of 0 % counts it, with what was said beside. The same task, version and seed has the same id, so
 * that it counts once. Without `passed` and `error` where nothing says what is right: a canary sets that aside.
 */
export function shadowOutcome(
  task: ShadowTask,
  { candidate, production }: ShadowTrial,
  { version, seed, at, writesViolate, costUsd }: OutcomeParts,
): string {
  const { ended, divergence } = task;
  const isJudged = ended === 'passed' || ended === 'failed';
  const cause = `${ended}: ${divergence ?? 'nobody says why'}`;
  const outcome = {
    id: `shadow-${digestOf(canonicalJson({ version, seed, task: task.task, file: task.file })).slice(0, 24)}`,
    at,
    arm: 'candidate',
    version,
    percent: 0,
    ...(isJudged && { passed: ended === 'passed' }),
    ...(!isJudged && ended !== 'unjudged' && { error: cut(cause, LONGEST_ERROR) }),
    ...(ended === 'write_refused' && writesViolate && { violation: cut(cause, LONGEST_ERROR) }),
    ...(costUsd !== null && { cost_usd: costUsd }),
  };
  const said = (of: ShadowTrial['production'] | null, length: number): readonly string[] =>
    (of === null ? [] : answersOf(of)).slice(0, MOST_MESSAGES).map((text) => cut(text, length));
  for (const length of LENGTHS) {
    const divergenceText = divergence === null ? null : cut(divergence, 1024);
    const shadow = {
      ...task,
      divergence: divergenceText,
      said: { candidate: said(candidate, length), production: said(production, length) },
    };
    const line = JSON.stringify({ ...outcome, shadow });
    if (line.length <= LONGEST_LINE) return line;
  }
  return JSON.stringify(outcome);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1)).toWellFormed()}…`;
}
