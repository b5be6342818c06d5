import type { Role } from '../message.ts';
import type { Count } from '../numbers.ts';
import type { TrialRecord } from '../record.ts';
import type { JudgeCriterion, JudgeModuleFile } from './judge.ts';

/** The function of the host that asks modules which judge. */
export const JUDGE_CALL = 'judge';

/** What that function is given. */
export interface JudgeCallPayload {
  readonly module: JudgeModuleFile;
  readonly question: ModuleQuestion;
}

/** What a module is shown: one trial, or two, or claims with contexts. */
export type ShownToModule =
  | { readonly kind: 'pointwise'; readonly record: TrialRecord }
  | { readonly kind: 'pairwise'; readonly A: TrialRecord; readonly B: TrialRecord }
  | { readonly kind: 'verify'; readonly claims: readonly NamedClaim[]; readonly contexts: readonly string[] };

/** A claim by the name that its verdict has. */
export interface NamedClaim {
  /** `claim-1` and so on. */
  readonly id: string;
  /** The claim. */
  readonly text: string;
}

/** What a module is asked. */
export type ModuleQuestion = ShownToModule & ModuleQuestionBase;

export interface ModuleQuestionBase {
  readonly criteria: readonly JudgeCriterion[];
  /** '': nothing. */
  readonly background: string;
  /** From 0. */
  readonly repeat: Count;
  /** The same question in words, as models are asked. */
  readonly messages: readonly { readonly role: Role; readonly content: string }[];
  /** What an answer to `messages` must carry. */
  readonly mark: string;
}
