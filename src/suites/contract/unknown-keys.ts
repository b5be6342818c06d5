import { originKeys } from '../../scenario/origin-schema.ts';
import { didYouMean, hintFor } from '../../text/did-you-mean.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import { toIssue } from '../../workflow/report.ts';
import { contractKeys } from './contract-schema.ts';

/** Keys that are not known are passed over, as everywhere in files of the reference, but not in silence. */
export function unknownAsWarning(issue: Issue): Issue {
  return issue.code === 'unknown_key' ? { ...issue, severity: 'warning' } : issue;
}

/** Keys of a scenario that say something of an agent as well. */
const SHARED = ['name', 'description', 'capabilities', 'tags', 'trials', 'min_pass_rate', 'timeout_ms', 'seed'];

/** Keys at the root of a file about an agent that are not known; over a workflow they are those of a scenario. */
export function unknownRootKeys({ data, locate }: SourceDocument): readonly Issue[] {
  const keys = [...Object.keys(contractKeys), ...Object.keys(originKeys), ...SHARED];
  const absent = keys.filter((key) => !Object.hasOwn(data, key));
  return Object.keys(data)
    .filter((key) => !keys.includes(key))
    .map((key) => {
      const message = `"${key.slice(0, 60)}" is not a known key.`;
      const hint = hintFor(key, didYouMean(key, absent) === null ? keys : absent);
      return toIssue({ code: 'unknown_key', severity: 'warning', message, at: [key], part: 'key', hint }, locate);
    });
}
