import { issueKey } from '../../source/issue-key.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { LoadedScenario, Scenario, WorkflowSubject } from '../../types/scenario.ts';
import { freezeDeep } from '../../values/freeze-deep.ts';
import { tableAt, textAt } from '../../workflow/raw-data.ts';
import { collectIssues, type Found, toIssue } from '../../workflow/report.ts';
import { type DocumentOptions, loadScenarioDocument } from '../load-scenario.ts';
import type { RegistryView } from '../registry-view.ts';
import { climbWorkflow } from '../ladders/climb-workflow.ts';
import { type Ladder, readLadder } from '../ladders/read-ladder.ts';
import { fillCase, fillWorkflow } from './fill-case.ts';
import { type CaseRow, readCaseRows, rowOf } from './case-rows.ts';

type Loaded = LoadedScenario<WorkflowSubject>;

/**
 * The scenarios of a file with `cases`, a `matrix` or a `ladder`, one for each row, combination or rung, in its order; one row that
 * failed where there are none. A problem that all of them have is told once, any other one with the case's name.
 */
export async function loadCases(
  document: SourceDocument,
  registry: RegistryView,
  options: DocumentOptions,
): Promise<readonly Loaded[]> {
  const name = textAt(document.data, 'name') ?? document.source.name;
  const ladder = Object.hasOwn(document.data, 'ladder') ? readLadder(document, 'workflow') : null;
  const { rows, issues } =
    ladder === null ? readCaseRows(document, options) : { rows: ladder.cases.map(rowOf), issues: ladder.issues };
  if (issues.length > 0) return [{ ok: false, file: document.source.name, name, capabilities: [], trials: 0, issues }];
  const loaded: Loaded[] = [];
  const used = new Set<string>();
  for (const [index, one] of rows.entries()) {
    await options.step?.();
    loaded.push(loadCase(one, { name, document, registry, options, index, ladder, used }));
  }
  // What a row with errors would have used is not known.
  const isWhole = ladder === null && loaded.every(({ ok }) => ok);
  return withNames(loaded, rows, isWhole ? unusedIn(document, used) : []);
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
  /** Gets what markers named. */
  readonly used: Set<string>;
}

function loadCase(row: CaseRow, { name, document, registry, options, index, ladder, used }: Loading): Loaded {
  let data = document.data;
  const missing = collectIssues(document.locate, (report) => {
    data = fillCase(data, row, { report, used });
  });
  const caseName = `${name}: ${row.name}`;
  if (missing.length > 0) {
    return { ok: false, file: document.source.name, name: caseName, capabilities: [], trials: 1, issues: missing };
  }
  const named = Object.hasOwn(data, 'name') ? { ...data, name: caseName } : data;
  const own = { ...options, ...(row.combination !== undefined && { fill: fillsWorkflow(row, used) }) };
  const loaded = loadScenarioDocument({ ...document, data: named }, registry, own);
  if (!loaded.ok) return loaded;
  const { combination, caseName: ofCase } = row;
  const matrix =
    combination === undefined
      ? {}
      : { matrix: { of: name, values: combination.values, ...(ofCase !== undefined && { case: ofCase }) } };
  const plain = { ...loaded.scenario, case: row.name, ...matrix };
  if (ladder === null) {
    return { ...loaded, scenario: options.isOwn === true ? plain : freezeDeep(plain) };
  }
  let scenario: Scenario<WorkflowSubject> = plain;
  const wrong = collectIssues(document.locate, (report) => {
    scenario = climbWorkflow(plain, { of: name, ladder, n: index }, report);
  });
  if (wrong.length === 0) {
    // The rung is part of what was frozen.
    return { ...loaded, scenario: options.isOwn === true ? scenario : freezeDeep(scenario) };
  }
  const { capabilities, trials } = scenario;
  const issues = [...loaded.issues, ...wrong];
  return { ok: false, file: document.source.name, name: caseName, capabilities, trials, issues };
}

/** What fills the workflow of a scenario that a matrix makes. */
function fillsWorkflow(row: CaseRow, used: Set<string>): NonNullable<DocumentOptions['fill']> {
  return (document) => {
    let { data } = document;
    const issues = collectIssues(document.locate, (report) => {
      data = fillWorkflow(data, row, { report, used });
    });
    return { document: { ...document, data }, issues };
  };
}

/** Warnings of cases that are alike, and of axes that change nothing. */
function unusedIn({ data, locate }: SourceDocument, used: ReadonlySet<string>): readonly Issue[] {
  const unused = (found: Pick<Found, 'message' | 'at' | 'hint'>): Issue =>
    toIssue({ code: 'unused_cases', severity: 'warning', part: 'key', ...found }, locate);
  const axes = Object.keys(tableAt(data, 'matrix')).filter((axis) => !used.has(`matrix.${axis}`));
  const hasCases = Object.hasOwn(data, 'cases');
  return [
    ...(hasCases && ![...used].some((name) => name.startsWith('case.'))
      ? [
          unused({
            message: 'No text of the file has a marker such as {{case.question}}, so all its cases are alike.',
            at: ['cases'],
            hint: 'Write {{case.FIELD}} where cases differ, such as in the payload of the trigger and in [expected].',
          }),
        ]
      : []),
    ...axes.map((axis) =>
      unused({
        message: `No text of the file or its workflow has the marker {{matrix.${axis}}}, so its values are alike.`,
        at: ['matrix', axis],
        hint: 'Write it where they differ, such as in a path, in the payload of the trigger, or in a node of the workflow.',
      }),
    ),
  ];
}

/** `own`: problems of the file itself; they stand in its first row. */
function withNames(rows: readonly Loaded[], cases: readonly CaseRow[], own: readonly Issue[]): readonly Loaded[] {
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
