import { issueKey } from '../../source/issue-key.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { LoadedScenario, Scenario, Subject, WorkflowSubject } from '../../types/scenario.ts';
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

/** A file as it stands for one of its rows. */
export interface FilledCase {
  readonly row: CaseRow;
  /** The file, filled. */
  readonly document: SourceDocument;
  /** Gets what markers name. */
  readonly used: Set<string>;
}

/** The cases of a workflow: see `loadCases`. With a `ladder` in place of rows, a scenario for each rung. */
export async function loadWorkflowCases(
  document: SourceDocument,
  registry: RegistryView,
  options: DocumentOptions,
): Promise<readonly Loaded[]> {
  const ladder = Object.hasOwn(document.data, 'ladder') ? readLadder(document, 'workflow') : null;
  return loadCases(document, { ...options, ladder }, ({ row, document: filled, used }, index) => {
    const own = { ...options, ...(row.combination !== undefined && { fill: fillsWorkflow(row, used) }) };
    const loaded = loadScenarioDocument(filled, registry, own);
    if (!loaded.ok || ladder === null) return [loaded];
    const of = textAt(document.data, 'name') ?? document.source.name;
    let { scenario } = loaded;
    const wrong = collectIssues(document.locate, (report) => {
      scenario = climbWorkflow(scenario, { of, ladder, n: index }, report);
    });
    if (wrong.length === 0) return [{ ...loaded, scenario }];
    const { capabilities, trials, name } = scenario;
    return [{ ok: false, file: loaded.file, name, capabilities, trials, issues: [...loaded.issues, ...wrong] }];
  });
}

export interface LoadCasesOptions extends DocumentOptions {
  /** Null: the file has rows. */
  readonly ladder: Ladder | null;
}

/**
 * The scenarios of a file with `cases`, a `matrix` or a ladder: what `load` gives for each row, combination or rung, in its order;
 * one row that failed where there are none. A problem that all of them have is told once, any other one with the case's name.
 */
export async function loadCases<S extends Subject>(
  document: SourceDocument,
  { ladder, ...options }: LoadCasesOptions,
  load: (filled: FilledCase, index: number) => readonly LoadedScenario<S>[] | Promise<readonly LoadedScenario<S>[]>,
): Promise<readonly LoadedScenario<S>[]> {
  const { data, source, locate } = document;
  const name = textAt(data, 'name') ?? source.name;
  const { rows, issues } =
    ladder === null ? readCaseRows(document, options) : { rows: ladder.cases.map(rowOf), issues: ladder.issues };
  if (issues.length > 0)
    return [{ ok: false, file: source.name, name, isOfSeveral: true, capabilities: [], trials: 0, issues }];
  const loaded: (readonly LoadedScenario<S>[])[] = [];
  const used = new Set<string>();
  for (const [index, row] of rows.entries()) {
    await options.step?.();
    const caseName = `${name}: ${row.name}`;
    let filled = data;
    const missing = collectIssues(locate, (report) => {
      filled = fillCase(data, row, { report, used });
    });
    if (missing.length > 0) {
      const failed = { ok: false, file: source.name, name: caseName, capabilities: [], trials: 1 } as const;
      loaded.push([{ ...failed, issues: missing }]);
      continue;
    }
    const named = Object.hasOwn(filled, 'name') ? { ...filled, name: caseName } : filled;
    const ofCase = await load({ row, document: { ...document, data: named }, used }, index);
    loaded.push(
      ofCase.map((one) => {
        if (!one.ok) return one;
        const scenario = ofRow(one.scenario, row, { name, caseName });
        return { ...one, scenario: options.isOwn === true ? scenario : freezeDeep(scenario) };
      }),
    );
  }
  // What a row with errors would have used is not known.
  const isWhole = ladder === null && loaded.flat().every(({ ok }) => ok);
  return withNames(loaded, rows, isWhole ? unusedIn(document, used) : []);
}

/** The scenario as one of a case. Cells of a matrix are compared where all but their values is the same. */
function ofRow<S extends Subject>(
  scenario: Scenario<S>,
  { name: row, combination, caseName: ofCase }: CaseRow,
  { name, caseName }: { readonly name: string; readonly caseName: string },
): Scenario<S> {
  if (combination === undefined) return { ...scenario, case: row };
  const rest = scenario.name.startsWith(caseName) ? scenario.name.slice(caseName.length) : '';
  const tried = `${ofCase ?? ''}${rest}`.replace(/^: /, '');
  const matrix = { of: name, values: combination.values, ...(tried !== '' && { case: tried }) };
  return { ...scenario, case: row, matrix };
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
function withNames<S extends Subject>(
  loaded: readonly (readonly LoadedScenario<S>[])[],
  cases: readonly CaseRow[],
  own: readonly Issue[],
): readonly LoadedScenario<S>[] {
  const counts = new Map<string, number>();
  for (const rows of loaded)
    for (const key of new Set(rows.flatMap(({ issues }) => issues.map(issueKey))))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  return loaded.flatMap((rows, index) =>
    rows.map((row, at) => {
      const issues = row.issues.flatMap((issue): readonly Issue[] => {
        const isShared = counts.get(issueKey(issue)) === loaded.length;
        if (isShared) return index === 0 ? [issue] : [];
        return [{ ...issue, message: `In case "${cases[index]?.name ?? ''}": ${issue.message}` }];
      });
      return { ...row, issues: index === 0 && at === 0 ? [...own, ...issues] : issues };
    }),
  );
}
