import type { Issue } from '../types/issue.ts';
import type { StopRule } from '../types/stop-early.ts';
import { shown } from './kinds.ts';

/** A rule by name, or with the errors that a sequential test may make; true: `curtail`. */
export type StopEarlyOption =
  | boolean
  | StopRule['rule']
  | {
      readonly rule: 'sprt';
      /** Chance of passing a scenario whose true rate is `bad`. */
      readonly falsePass?: number;
      /** Chance of failing a scenario whose true rate is `good`. */
      readonly falseFail?: number;
    };

const USUAL_ERROR = 0.05;

/** Null: every scenario runs all its trials. */
export function resolveStopRule(option: StopEarlyOption | undefined): StopRule | null {
  if (option === undefined || option === false) return null;
  if (option === true || option === 'curtail') return { rule: 'curtail' };
  const { falsePass = USUAL_ERROR, falseFail = USUAL_ERROR } = option === 'sprt' ? {} : option;
  return { rule: 'sprt', falsePass, falseFail };
}

/** Why the option cannot be used; [] when it can. */
export function stopEarlyIssues(options: {
  readonly stopEarly?: StopEarlyOption;
  readonly bail?: number | boolean;
}): readonly Issue[] {
  const { stopEarly: option, bail } = options;
  if (option === undefined || option === false) return [];
  const issues: Issue[] = [];
  const say = (message: string, hint: string): void => void issues.push({ ...BAD, message, hint });
  if (!isRule(option)) {
    say(`\`stopEarly\` must be true, "curtail" or "sprt", got ${shown(option)}.`, 'Leave it out to run all trials.');
    return issues;
  }
  const rule = resolveStopRule(option);
  if (rule?.rule === 'sprt') {
    const { falsePass, falseFail } = rule;
    const isPossible = falsePass > 0 && falseFail > 0 && falsePass + falseFail < 1;
    if (!isPossible) say('`stopEarly` needs errors above 0 that sum up to less than 1.', 'Give 0.05 for both.');
  }
  if (Number(bail ?? 0) > 0)
    say('`bail` and `stopEarly` do not go together.', '`bail` already ends the run at its first failure.');
  return issues;
}

const BAD = { code: 'bad_option', severity: 'error' } as const;

function isRule(option: StopEarlyOption): boolean {
  if (typeof option === 'object') return option !== null && option.rule === 'sprt';
  return option === true || option === 'curtail' || option === 'sprt';
}
