import type { Json } from '../types/json.ts';
import { answerObject, type UnreadableVerdict, unreadable } from './answer-objects.ts';

/** One criterion of a rubric, as a judge ruled on it. */
export interface CriterionVerdict {
  /** The criterion's id. */
  readonly criterion: string;
  /** True: the judge finds it met. */
  readonly met: boolean;
  /** From 0 to 1; null: the judge gave none. */
  readonly confidence: number | null;
  /** '' where the judge gave none. */
  readonly reason: string;
}

/** The verdicts in a judge's answer about one record, or why there are none. */
export type RubricReading =
  | {
      readonly ok: true;
      /** One for each criterion, in the order of the rubric. */
      readonly verdicts: readonly CriterionVerdict[];
      /** Verdicts on criteria that the rubric does not have. */
      readonly ignored: number;
    }
  | UnreadableVerdict;

/**
 * Reads what a judge said of each criterion, and fails closed: exactly one verdict for each, or none at all. An empty list
 * is an error, and so is a verdict that is not `true` or `false`. Criteria in another order, and others besides, do no harm.
 */
export function readRubricVerdict(text: string, criteria: readonly string[], mark: string): RubricReading {
  const found = answerObject(text, mark);
  if (!found.ok) return found;
  const list = found.object['verdicts'];
  if (!Array.isArray(list)) return unreadable('no_verdict', 'The answer has no list of verdicts.');
  if (list.length === 0) return unreadable('no_criteria', 'The list of verdicts is empty, which decides nothing.');
  const byCriterion = new Map<string, CriterionVerdict>();
  let ignored = 0;
  for (const item of list as readonly Json[]) {
    const verdict = readVerdict(item);
    if (!('criterion' in verdict)) return verdict;
    if (!criteria.includes(verdict.criterion)) ignored++;
    else if (byCriterion.has(verdict.criterion)) {
      return unreadable('double_criterion', `Criterion "${verdict.criterion}" has two verdicts.`);
    } else byCriterion.set(verdict.criterion, verdict);
  }
  const verdicts = criteria.flatMap((criterion) => byCriterion.get(criterion) ?? []);
  const missing = criteria.find((criterion) => !byCriterion.has(criterion));
  if (missing !== undefined) return unreadable('missing_criterion', `Criterion "${missing}" has no verdict.`);
  if (verdicts.length === 0) return unreadable('no_criteria', 'The rubric has no criterion, which decides nothing.');
  return { ok: true, verdicts, ignored };
}

function readVerdict(item: Json): CriterionVerdict | UnreadableVerdict {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return unreadable('wrong_value', 'A verdict is no object.');
  }
  const { criterion, met, confidence = null, reason = '' } = item as { readonly [key: string]: Json | undefined };
  if (typeof criterion !== 'string') return unreadable('wrong_value', 'A verdict names no criterion.');
  if (typeof met !== 'boolean') {
    return unreadable('wrong_value', `Criterion "${criterion.slice(0, SHOWN)}" is neither true nor false.`);
  }
  const isShare = typeof confidence === 'number' && confidence >= 0 && confidence <= 1;
  if (confidence !== null && !isShare) {
    return unreadable('wrong_value', `The confidence of "${criterion.slice(0, SHOWN)}" is not from 0 to 1.`);
  }
  return { criterion, met, confidence: isShare ? confidence : null, reason: typeof reason === 'string' ? reason : '' };
}

/** Characters of a judge's own name for a criterion that a message repeats. */
const SHOWN = 60;
