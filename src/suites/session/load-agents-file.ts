import path from 'node:path';
import type { Places } from '../../scenario/places.ts';
import { checkSchema } from '../../source/check-schema.ts';
import { readSource } from '../../source/source-file.ts';
import { Type } from '../../source/schema-type.ts';
import { parseToml } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import { tableAt } from '../../workflow/raw-data.ts';
import { collectIssues } from '../../workflow/report.ts';
import { strictTable, text } from '../../workflow/schema-parts.ts';
import type { Reading } from '../contract/reading.ts';
import type { NamedAgent } from './read-agents.ts';
import { readFileAgents, readSystem } from './read-file-agents.ts';
import { agentsOfFile } from './session-schema.ts';

/** A file of `--agents`. */
export const agentsFileSchema = strictTable(
  {
    session: Type.Optional(
      strictTable(
        {
          system: Type.Optional(text('What they are told before anything else, in place of what the tasks say.')),
          system_file: Type.Optional(text('File with that text, relative to this file.')),
        },
        'What the agents are told.',
      ),
    ),
    agents: agentsOfFile,
  },
  'Agents that are tried on tasks of other files.',
);

export interface AgentsFileParts {
  /** What the file of tasks tells its agents; null: nothing. */
  readonly system: string | null;
  readonly places: Places;
  readonly plugins: Reading['plugins'];
  readonly add: (issue: Issue) => void;
}

/** The agents of a file that has nothing else; what is wrong with it is added to the issues of the file of tasks. */
export function loadAgentsFile(file: string, { system, places, plugins, add }: AgentsFileParts): readonly NamedAgent[] {
  // It was named by the user, and may lie anywhere; what it names lies beside it.
  const { within: _, ...rest } = places;
  const own = { ...rest, folder: path.dirname(file) };
  const found = readSource(file, own);
  const parsed = found.ok ? parseToml(found.source) : null;
  const problems = found.ok ? (parsed?.ok === false ? parsed.issues : []) : found.issues;
  for (const issue of problems) add(issue);
  if (parsed?.ok !== true) return [];
  const { document } = parsed;
  const wrong = checkSchema(document, [], agentsFileSchema);
  for (const issue of wrong) add(issue);
  if (wrong.length > 0) return [];
  let agents: readonly NamedAgent[] = [];
  const issues = collectIssues(document.locate, (report) => {
    const reading = { document, places: own, profiles: new Map(), report, plugins };
    const hasSystem = Object.hasOwn(tableAt(document.data, 'session'), 'system') || hasFile(document.data);
    const ownSystem = hasSystem ? readSystem(document.data, { places: own, report, add }) : system;
    agents = readFileAgents(document.data, { system: ownSystem, places: own, reading });
  });
  for (const issue of issues) add(issue);
  return agents;
}

function hasFile(data: Parameters<typeof tableAt>[0]): boolean {
  return Object.hasOwn(tableAt(data, 'session'), 'system_file');
}
