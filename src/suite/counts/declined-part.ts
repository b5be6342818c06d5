import { formatCount, plural } from '../../text/format-number.ts';
import { declinedQuestion } from '../../trial/record/declined-questions.ts';
import type { Tally } from '../../trial/tally/tally.ts';
import type { Issue } from '../../types/issue.ts';
import type { Scenario } from '../../types/scenario.ts';
import type { SampledScenario } from '../../types/reports/scenario-report.ts';
import type { DeclinedQuestions } from '../../types/scenarios/declined-questions.ts';
import { isWorkflow } from '../../types/subjects.ts';
import { groupBy } from '../../values/group-by.ts';
import { mostFrequentFirst } from './most-frequent-first.ts';

/** What MCP servers asked a user and nothing answered. Null: nothing. */
export function declinedPart(scenario: Scenario, { declined }: Tally): Pick<SampledScenario, 'declined'> | null {
  if (declined.entries.size === 0 || !isWorkflow(scenario)) return null;
  const declining = scenario.subject.world.mcp.flatMap(({ name, elicitations }) =>
    elicitations?.length === 0 ? [name] : [],
  );
  const questions = [...declined.entries]
    .map(([key, { count, lowestTrial }]) => ({ ...declinedQuestion(key), count, lowestTrial }))
    .filter(({ server }) => !declining.includes(server))
    .sort(mostFrequentFirst);
  return questions.length === 0 ? null : { declined: questions };
}

/** Says of each scenario and server how many questions were declined because nothing answers them, and how to answer one. */
export function declinedNotices(reports: readonly Pick<SampledScenario, 'name' | 'declined'>[]): readonly Issue[] {
  return reports.flatMap(({ name, declined = [] }) =>
    [...groupBy(declined, ({ server }) => server)].map(([server, questions]) =>
      declinedNotice(name, server, questions),
    ),
  );
}

function declinedNotice(scenario: string, server: string, questions: readonly DeclinedQuestions[]): Issue {
  const [first] = questions;
  const times = questions.reduce((sum, { count }) => sum + count, 0);
  const message = JSON.stringify(first?.message ?? '');
  const several = questions.length === 1 ? message : `${plural(questions.length, 'question')}, most often ${message}`;
  return {
    code: 'declined_question',
    severity: 'warning',
    message: `"${scenario}": MCP server "${server}" asked a user ${several}, and nothing answered: declined ${formatCount(times)} ${times === 1 ? 'time' : 'times'}.`,
    hint: `Beside name = ${JSON.stringify(server)} of [[world.mcp]], add [[world.mcp.elicitations]] with message = ${message} and content = { … }, or with action = "decline" if that is the answer.`,
  };
}
