import { bareScenario, NOTHING_EXPECTED } from '../../scenario/bare-scenario.ts';
import type { SuiteCase, SuitePlan, SuiteProblem, SuiteType } from '../../plugin/suite-type.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { LoadedScenario, Scenario } from '../../types/scenario.ts';
import type { PluginDefinition } from '../../types/suite.ts';
import { freezeDeep } from '../../values/freeze-deep.ts';
import { messageOf } from '../../values/message-of.ts';
import { toIssue } from '../../workflow/report.ts';
import type { LoadedDocument } from '../suite-kind.ts';
import { Malformed, readSuitePlan } from './returned.ts';

/** Milliseconds that a trial may take, where nobody says otherwise. */
const TIMEOUT_MS = 60_000;

/** What a plug-in makes of a document. What the plug-in throws is a problem of the file. */
export function loadPluginDocument(type: SuiteType, document: SourceDocument): LoadedDocument<PluginDefinition> {
  const { name: file } = document.source;
  const loaded = loadBy(type, document);
  if ('issues' in loaded) {
    const row: LoadedScenario = { ok: false, file, name: file, capabilities: [], trials: 0, issues: loaded.issues };
    return { rows: [row], definitions: [], notRun: [], issues: loaded.issues };
  }
  const { name, description, data = {}, cases } = loaded.plan;
  const definition: PluginDefinition = {
    kind: 'plugin',
    type: type.type,
    name,
    file,
    ...(description !== undefined && { description }),
    data,
  };
  return {
    rows: cases.map((one): LoadedScenario => {
      return { ok: true, file, scenario: freezeDeep(scenarioOf(one, definition)), issues: [] };
    }),
    definitions: [freezeDeep(definition)],
    notRun: [],
    issues: [],
  };
}

type Loading = { readonly plan: SuitePlan } | { readonly issues: readonly Issue[] };

function loadBy(type: SuiteType, { source, data, locate }: SourceDocument): Loading {
  const issuesOf = (problems: readonly SuiteProblem[]): Loading => ({
    issues: problems.map(({ message, at, hint }) =>
      toIssue({ code: 'suite_problem', message, at, ...(hint !== undefined && { hint }) }, locate),
    ),
  });
  try {
    const answer = readSuitePlan(type.load({ name: source.name, data }));
    return 'problems' in answer ? issuesOf(answer.problems) : { plan: answer };
  } catch (error) {
    const problems = error instanceof Malformed ? error.problems : [messageOf(error)];
    return issuesOf(
      problems.map((problem) => ({ message: `The suite "${type.type}" cannot load this file: ${problem}`, at: [] })),
    );
  }
}

function scenarioOf({ name, subject, trials = 1, invariants }: SuiteCase, definition: PluginDefinition): Scenario {
  const { name: of, file, type } = definition;
  return {
    ...bareScenario({ name: `${of}: ${name}`, file, trials, timeoutMs: TIMEOUT_MS }),
    subject: { kind: 'plugin', ...subject },
    expected: {
      ...NOTHING_EXPECTED,
      invariants: {
        list: invariants.map(({ id, rule }) => ({
          id,
          severity: 'medium',
          when: 'always',
          negate: false,
          probes: [],
          rule,
        })),
      },
    },
    part: { kind: 'plugin', of, type, case: name },
  };
}
