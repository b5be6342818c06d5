import { collectIssues } from '../workflow/report.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { LoadedScenario, WorkflowSubject } from '../types/scenario.ts';

/** A file with `[agent]` that is neither a contract nor a session: says where agents are tried. */
export function agentAlone({ locate, source: { name } }: SourceDocument): LoadedScenario<WorkflowSubject> {
  const issues = collectIssues(locate, (report) => {
    report({
      code: 'agent_alone',
      message: 'The file has [agent], and nothing that the agent is tried with.',
      at: ['agent'],
      hint: 'Questions and tasks, with pass^k, stand under [session] (passk init --agent URL), rules under [contract] (passk init --contract).',
    });
  });
  return { ok: false, file: name, name, capabilities: [], trials: 1, issues };
}
