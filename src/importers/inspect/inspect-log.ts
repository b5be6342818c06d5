import type { RunPiece } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { jsonText } from '../../values/json-text.ts';
import { countAt, fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { isJsonObject } from '../../values/is-json.ts';

/** A log without its samples, and the pieces of each sample. */
export interface FoundSamples {
  readonly log: unknown;
  readonly runs: readonly (readonly RunPiece[])[];
}

/** Facts of a log with which each of its samples is read. */
export interface LogFacts {
  /** The score that counts by its author's choice, `SCORER` or `SCORER/KEY`; null: the first. */
  readonly headline: string | null;
  /** The name of the only scorer of old logs, whose samples do not name it. */
  readonly scorer: string | null;
  /** Why samples may have no scores; null: the eval was completed. */
  readonly ending: string | null;
  /** The model that plays a role, such as `grader`. */
  readonly models: Readonly<Record<string, string>>;
}

/** Characters of a set's name that show the arguments of its task. */
const MOST_CALL = 120;

/** The name of a set: the task with its arguments, solver and model. */
export function setName(log: unknown): string {
  const task = textAt(log, 'eval', 'task');
  const model = textAt(log, 'eval', 'model');
  if (task === null) return '';
  const args = fieldAt(log, 'eval', 'task_args_passed') ?? fieldAt(log, 'eval', 'task_args');
  const solver = textAt(log, 'eval', 'solver');
  const hasArgs = isJsonObject(args as JsonObject) && Object.keys(args as JsonObject).length > 0;
  const call = [...(hasArgs ? [jsonText(args as JsonObject)] : []), ...(solver === null ? [] : [`by ${solver}`])].join(
    ' ',
  );
  const short = call.length > MOST_CALL ? `${call.slice(0, MOST_CALL)}…` : call;
  return [task, ...(short === '' ? [] : [short]), ...(model === null ? [] : [`(${model})`])].join(' ').toWellFormed();
}

export function logFacts(log: unknown): LogFacts {
  const roles = fieldAt(log, 'eval', 'model_roles');
  const roleNames = isJsonObject(roles as JsonObject) ? Object.keys(roles as JsonObject) : [];
  const models = roleNames.flatMap((role) => {
    const model = textAt(roles, role, 'model');
    return model === null ? [] : [[role, model] as const];
  });
  return {
    headline: headlineOf(log),
    scorer: textAt(log, 'results', 'scores', '0', 'name') ?? textAt(log, 'results', 'scorer', 'name'),
    ending: endingOf(log),
    models: Object.fromEntries(models),
  };
}

/** How many samples were to be run, epochs included; null: the log does not say. */
export function plannedSamples(log: unknown): number | null {
  const ids = listAt(log, 'eval', 'dataset', 'sample_ids').length;
  return ids === 0 ? null : ids * (countAt(log, 'eval', 'config', 'epochs') ?? 1);
}

function headlineOf(log: unknown): string | null {
  const declared = fieldAt(log, 'results', 'headline') ?? fieldAt(log, 'eval', 'headline_metric');
  const scorer = textAt(declared, 'scorer');
  const score = textAt(declared, 'score');
  if (scorer === null || score === null) return scorer ?? score;
  return scorer === score ? scorer : `${scorer}/${score}`;
}

function endingOf(log: unknown): string | null {
  const status = textAt(log, 'status');
  if (status === 'cancelled') return 'the eval was cancelled';
  if (status === 'started') return 'the eval had not come to its end';
  if (status !== 'error') return null;
  const message = textAt(log, 'error', 'message');
  return message === null ? 'the eval ended with an error' : `the eval ended with an error, ${message}`;
}
