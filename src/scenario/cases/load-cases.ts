import { issueKey } from '../../source/issue-key.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { LoadedScenario, Scenario, WorkflowSubject } from '../../types/scenario.ts';
import { freezeDeep } from '../../values/freeze-deep.ts';
import { textAt } from '../../workflow/raw-data.ts';
import { collectIssues, toIssue } from '../../workflow/report.ts';
import { type DocumentOptions, loadScenarioDocument } from '../load-scenario.ts';
import type { RegistryView } from '../registry-view.ts';
import { climbWorkflow } from '../ladders/climb-workflow.ts';
import { type Ladder, readLadder } from '../ladders/read-ladder.ts';
import { fillCase } from './fill-case.ts';
import { type Case, readCases } from './read-cases.ts';

type Loaded = LoadedScenario<WorkflowSubject>;

/**
 * The scenarios of a file with `cases` or a `ladder`, one for each row or rung, in its order; one row that failed where there are no cases. A problem
 * that all cases have is told once, any other one with the case's name.
 */
export async function loadCases(
  document: SourceDocument,
  registry: RegistryView,
  options: DocumentOptions,
): Promise<readonly Loaded[]> {
  const name = textAt(document.data, 'name') ?? document.source.name;
  const ladder = Object.hasOwn(document.data, 'ladder') ? readLadder(document, 'workflow') : null;
  const { cases, issues } = ladder ?? readCases(document, options);
  if (issues.length > 0) return [{ ok: false, file: document.source.name, name, capabilities: [], trials: 0, issues }];
  const loaded: Loaded[] = [];
  let markers = 0;
  for (const [index, one] of cases.entries()) {
    await options.step?.();
    const filled = loadCase(one, { name, document, registry, options, index, ladder });
    loaded.push(filled.loaded);
    markers += filled.markers;
  }
  return withNames(loaded, cases, markers === 0 && ladder === null ? [allTheSame(document)] : []);
}

interface Loading {
  /** Of the file. */
  readonly name: string;
  readonly document: SourceDocument;
  readonly registry: RegistryView;
  readonly options: DocumentOptions;
  /** Position of the case. */
  readonly index: number;
  /** Null: the file has rows. */
  readonly ladder: Ladder | null;
}

function loadCase(
  one: Case,
  { name, document, registry, options, index, ladder }: Loading,
): { readonly loaded: Loaded; readonly markers: number } {
  let markers = 0;
  let data = document.data;
  const missing = collectIssues(document.locate, (report) => ({ data, markers } = fillCase(data, one, report)));
  const caseName = `${name}: ${one.name}`;
  if (missing.length > 0) {
    const file = document.source.name;
    return { loaded: { ok: false, file, name: caseName, capabilities: [], trials: 1, issues: missing }, markers };
  }
  const named = Object.hasOwn(data, 'name') ? { ...data, name: caseName } : data;
  const loaded = loadScenarioDocument({ ...document, data: named }, registry, options);
  if (!loaded.ok) return { loaded, markers };
  const plain = { ...loaded.scenario, case: one.name };
  if (ladder === null) {
    return { loaded: { ...loaded, scenario: options.isOwn === true ? plain : Object.freeze(plain) }, markers };
  }
  let scenario: Scenario<WorkflowSubject> = plain;
  const wrong = collectIssues(document.locate, (report) => {
    scenario = climbWorkflow(plain, { of: name, ladder, n: index }, report);
  });
  if (wrong.length === 0) {
    // The rung is part of what was frozen.
    const climbed = options.isOwn === true ? scenario : freezeDeep(scenario);
    return { loaded: { ...loaded, scenario: climbed }, markers };
  }
  const file = document.source.name;
  const { capabilities, trials } = scenario;
  const issues = [...loaded.issues, ...wrong];
  return { loaded: { ok: false, file, name: caseName, capabilities, trials, issues }, markers };
}

function allTheSame({ locate }: SourceDocument): Issue {
  return toIssue(
    {
      code: 'unused_cases',
      severity: 'warning',
      message: 'No text of the file has a marker such as {{case.question}}, so all its cases are alike.',
      at: ['cases'],
      part: 'key',
      hint: 'Write {{case.FIELD}} where cases differ, such as in the payload of the trigger and in [expected].',
    },
    locate,
  );
}

/** `own`: problems of the file itself; they stand in its first row. */
function withNames(rows: readonly Loaded[], cases: readonly Case[], own: readonly Issue[]): readonly Loaded[] {
  const counts = new Map<string, number>();
  for (const { issues } of rows)
    for (const key of new Set(issues.map(issueKey))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return rows.map((row, index) => {
    const issues = row.issues.flatMap((issue): readonly Issue[] => {
      const isShared = counts.get(issueKey(issue)) === rows.length;
      if (isShared) return index === 0 ? [issue] : [];
      return [{ ...issue, message: `In case "${cases[index]?.name ?? ''}": ${issue.message}` }];
    });
    return { ...row, issues: index === 0 ? [...own, ...issues] : issues };
  });
}
