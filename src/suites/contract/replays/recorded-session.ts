import { locationAt } from '../../../source/location-at.ts';
import type { SourceDocument } from '../../../source/toml-document.ts';
import type { Issue } from '../../../types/issue.ts';

/** What an agent was asked once, with the answers of its tools; its `contract` is the name of one. */
export function isSession({ data }: SourceDocument): boolean {
  const has = (key: string): boolean => Object.hasOwn(data, key);
  return has('input') && (has('tool_responses') || has('expected_failure')) && !has('agent');
}

export function sessionIssue({ source }: SourceDocument): Issue {
  return {
    code: 'recorded_session',
    severity: 'error',
    message: 'This is a recorded session, which says nothing of whom it is replayed with.',
    at: locationAt(source, 0),
    hint: 'Name it in a contract: sessions = [{ file = "…" }] under [replays].',
  };
}
