import { isTable } from '../../source/json-schema.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { MatrixValue } from '../../types/matrix/matrix.ts';
import type { Issue } from '../../types/issue.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { jsonText } from '../../values/json-text.ts';
import { tableAt, valueAt } from '../../workflow/raw-data.ts';
import { collectIssues, type Report } from '../../workflow/report.ts';

/** One combination of values: what stands behind `{{matrix.axis}}` when a scenario file is loaded for it. */
export interface Combination {
  readonly fields: JsonObject;
  /** One for each axis, in the order of the file. */
  readonly values: readonly MatrixValue[];
}

export interface MatrixResult {
  readonly combinations: readonly Combination[];
  readonly issues: readonly Issue[];
}

/** Longer texts are no names: the whole of a prompt, say. */
const LONGEST_NAME = 60;

/** All combinations of the values of `[matrix]`; the last axis changes first. */
export function readMatrix({ data, locate }: SourceDocument): MatrixResult {
  let combinations: readonly Combination[] = [{ fields: {}, values: [] }];
  const issues = collectIssues(locate, (report) => {
    const table = valueAt(data, 'matrix');
    if (!isTable(table)) {
      report({ code: 'wrong_type', message: '"matrix" must be a table.', at: ['matrix'], hint: FORM });
      return;
    }
    const axes = Object.entries(tableAt(data, 'matrix'));
    if (axes.length === 0) report({ code: 'no_axes', message: 'The matrix has no axis.', at: ['matrix'], hint: FORM });
    if (Object.hasOwn(data, 'ladder')) {
      report({
        code: 'conflicting_keys',
        message: 'The file has both a matrix and a ladder.',
        at: ['ladder'],
        part: 'key',
        hint: 'Give each of them a file of its own.',
      });
    }
    for (const [axis, values] of axes) combinations = crossed(combinations, axis, valuesOf(axis, values, report));
  });
  return issues.length > 0 ? { combinations: [], issues } : { combinations, issues };
}

interface AxisValue {
  readonly name: string;
  readonly value: Json;
}

function crossed(
  combinations: readonly Combination[],
  axis: string,
  values: readonly AxisValue[],
): readonly Combination[] {
  return combinations.flatMap((one) =>
    values.map(({ name, value }) => ({
      fields: { ...one.fields, [axis]: value },
      values: [...one.values, { axis, value: name }],
    })),
  );
}

/** The values of one axis; what is wrong with them is reported. */
function valuesOf(axis: string, values: Json, report: Report): readonly AxisValue[] {
  const at = ['matrix', axis];
  if (!Array.isArray(values) || values.length < 2) {
    report({ code: 'bad_axis', message: `Axis "${axis}" needs a list of at least two values.`, at, hint: FORM });
    return [];
  }
  const names = new Set<string>();
  return values.map((value: Json, index): AxisValue => {
    const name = nameOf(value) ?? `#${index + 1}`;
    if (names.has(name)) {
      report({
        code: 'duplicate_name',
        message: `Two values of axis "${axis}" have the name "${name}".`,
        at: [...at, index],
        hint: 'Reports go by name: give each value another one, such as { name = "long", file = "long.md" }.',
      });
    }
    names.add(name);
    return { name, value };
  });
}

function nameOf(value: Json): string | null {
  const named = isTable(value) ? valueAt(value, 'name') : value;
  const text =
    typeof named === 'string' ? named : isTable(value) || Array.isArray(named) ? null : jsonText(named ?? null);
  return text === null || text.trim() === '' || text.length > LONGEST_NAME || text.includes('\n') ? null : text;
}

const FORM = 'Write lists below [matrix], such as model = ["small", "large"], and {{matrix.model}} where they differ.';
