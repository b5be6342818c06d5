import { firstNames } from '../../text/first-names.ts';
import type { GovernanceFinding } from '../../types/release/eval-body.ts';

/** Names of scenarios in one finding. */
const MOST_NAMES = 5;

/** What was found in test material, with the first scenarios that it is about. Texts are as they were found. */
export function findingText({ message, scenarios }: GovernanceFinding, most = MOST_NAMES): string {
  return scenarios.length === 0 ? message : `${message.replace(/\.$/, '')}: ${firstNames(scenarios, most)}`;
}
