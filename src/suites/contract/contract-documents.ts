import { locationAt } from '../../source/location-at.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { isSession, sessionIssue } from './replays/recorded-session.ts';

/** True for a document that binds a subject to a contract, or to invariants of the whole run. */
export function isContractDocument({ data }: SourceDocument): boolean {
  return isContract(data);
}

/** The same of data with the keys of such a document, or of an object that a program made. */
export function isContract(data: Readonly<Record<string, unknown>>): boolean {
  const has = (key: string): boolean => Object.hasOwn(data, key);
  return has('contract') || (has('agent') && ['golden_prompts', 'goldenPrompts', 'invariants'].some(has));
}

/** True for a document that contracts name, and that is nothing by itself: a recorded session, a chaos profile. */
export function isContractPart(document: SourceDocument): boolean {
  return isSession(document) || isProfile(document);
}

/** What is wrong with such a document in place of a contract; null: it is none. */
export function partAloneIssue(document: SourceDocument): Issue | null {
  if (isSession(document)) return sessionIssue(document);
  return isProfile(document) ? profileIssue(document) : null;
}

const PROFILE_KEYS = ['name', 'description', 'chaos'];

function isProfile({ data }: SourceDocument): boolean {
  return isJsonObject(data['chaos']) && Object.keys(data).every((key) => PROFILE_KEYS.includes(key));
}

function profileIssue({ source }: SourceDocument): Issue {
  return {
    code: 'chaos_profile',
    severity: 'error',
    message: 'This is a chaos profile, which says nothing of whom it strikes.',
    at: locationAt(source, 0),
    hint: 'Name it in a column of a contract: profile = "…" under [[contract.chaos_matrix]].',
  };
}
