import { SCENARIO_KEYS } from '../../scenario/scenario-schema.ts';
import type { Issue } from '../../types/issue.ts';

const UNKNOWN = /^"(\w+)" is not a known key\.$/;

/** The problems of a file with one agent, with what helps where it has keys of scenarios with a workflow. */
export function withAgentHints(issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => {
    const [, key = ''] = (issue.code === 'unknown_key' ? UNKNOWN.exec(issue.message) : null) ?? [];
    if (!SCENARIO_KEYS.has(key)) return issue;
    return { ...issue, hint: 'Scenarios with a workflow have it. What a user wants of an agent stands under [user].' };
  });
}
