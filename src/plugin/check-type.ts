import type { JsonObject } from '../types/json.ts';
import type { AnswerCheck, TrialCheck } from './trial-check.ts';

/** A check of your own. `checks` of files name one that judges trials, rules of the type `plugin` one that judges answers. */
export type CheckType = TrialCheckType | AnswerCheckType;

interface NamedCheck {
  readonly kind: 'check';
  /** The word in the file. */
  readonly type: string;
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
}

/** A check that looks at the record of a trial. */
export interface TrialCheckType extends NamedCheck {
  readonly judges: 'trials';
  /** Called once for each scenario that names it, with what the file says under `settings`. Pure. What it throws ends the run before its trials. */
  create(settings: JsonObject): TrialCheck;
}

/** A check that looks at one answer after the other. */
export interface AnswerCheckType extends NamedCheck {
  readonly judges: 'answers';
  /** Called once for each scenario that names it, with what the file says under `settings`. Pure. What it throws ends the run before its trials. */
  create(settings: JsonObject): AnswerCheck;
}
