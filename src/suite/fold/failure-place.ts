import type { Location } from '../../types/issue.ts';
import { mostFailed } from '../../report/words/scenario-outcome.ts';
import type { JudgedScenario } from '../../types/reports/scenario-report.ts';
import type { Expected, ValueExpectation } from '../../types/scenarios/expected.ts';

export type Positions = Readonly<Record<string, Location>>;

export interface FailurePlaceInput {
  readonly report: JudgedScenario;
  readonly expected: Expected;
  /** Names of all checks in the order of the scenario. */
  readonly checks: readonly string[];
  /** As `scenarioPositions` gives them. */
  readonly positions: Positions;
}

/** Where the file says what failed most often; for broken trials the workflow. Null when the file has changed. */
export function failurePlace({ report, expected, checks, positions }: FailurePlaceInput): Location | null {
  const check = mostFailed(report);
  const names =
    check === undefined
      ? ['workflow', 'name']
      : [`expected.${expectedKey(check, expected, checks, positions)}`, 'expected', 'name'];
  const found = names.map((name) => positions[name]).find((place) => place !== undefined);
  return found === undefined ? null : { file: found.file, line: found.line, column: found.column };
}

const VALUE_CHECK = /^value |^"?final_value/;
const PROMPT_CHECK = /^prompts\b/;

/** Checks are named after their key, but for the members of `final`, `values` and `prompts`. */
function expectedKey(check: string, expected: Expected, checks: readonly string[], positions: Positions): string {
  const rank = (pattern: RegExp): number => checks.filter((name) => pattern.test(name)).indexOf(check);
  if (PROMPT_CHECK.test(check)) return `prompts[${rank(PROMPT_CHECK)}]`;
  if (!VALUE_CHECK.test(check)) return /^\w+/.exec(check)?.[0] ?? check;
  // `final` is kept as the first of the values.
  const hasFinal = positions['expected.final'] !== undefined;
  const table = tableOf(expected.values, rank(VALUE_CHECK)) - (hasFinal ? 1 : 0);
  return table < 0 ? 'final' : `values[${table}]`;
}

const TESTS: readonly ValueExpectation['test']['kind'][] = ['equals', 'contains', 'matches', 'exists', 'schema'];

/** The tests of one table stand together, in the order of `TESTS`: the next table begins where that order starts again. */
function tableOf(values: readonly ValueExpectation[], index: number): number {
  let table = -1;
  let before: ValueExpectation | null = null;
  for (const value of values.slice(0, index + 1)) {
    const goesOn =
      before !== null &&
      before.node === value.node &&
      before.path === value.path &&
      TESTS.indexOf(before.test.kind) < TESTS.indexOf(value.test.kind);
    if (!goesOn) table++;
    before = value;
  }
  return table;
}
