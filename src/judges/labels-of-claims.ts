import { locationAt } from '../source/location-at.ts';
import type { Issue } from '../types/issue.ts';
import { groupBy } from '../values/group-by.ts';
import type { LabelRow } from './read-labels.ts';

/** Problems that are listed; the rest would be more of the same. */
const MOST_ISSUES = 20;

/**
 * Rows about single claims as rows about the answers that make them: an answer passes where the share of its claims that
 * pass is `minScore` or more, once by people and once by the judge. Gates read verdicts on answers, and a judge that is
 * right of each claim in 95 % of cases is right of ten claims in 60 %. An answer of which a claim has no label, or no
 * verdict, has none. Rows without a criterion are about answers already.
 */
export function labelsOfClaims(
  rows: readonly LabelRow[],
  minScore: number,
): { readonly rows: readonly LabelRow[]; readonly issues: readonly Issue[] } {
  const wholes = rows.filter(({ criterion }) => criterion === '');
  const claims = rows.filter(({ criterion }) => criterion !== '');
  const wholeIds = new Set(wholes.map(({ id }) => id));
  const issues = claims.flatMap((row): readonly Issue[] => {
    if (row.id === null) return [issue(row, 'A row about a claim does not say whose claim it is.')];
    return wholeIds.has(row.id) ? [issue(row, 'The answer has a row as a whole besides.')] : [];
  });
  if (issues.length > 0) return { rows, issues: issues.slice(0, MOST_ISSUES) };
  const answers = [...groupBy(claims, ({ id }) => id ?? '')].flatMap(([id, own]): readonly LabelRow[] => {
    const [first] = own;
    if (first === undefined) return [];
    const passes = (side: 'human' | 'judge'): boolean | null => {
      const passed = own.filter((row) => row[side] === true).length;
      return own.some((row) => row[side] === null) ? null : passed / own.length >= minScore;
    };
    return [{ id, criterion: '', human: passes('human'), judge: passes('judge'), place: first.place }];
  });
  return { rows: [...wholes, ...answers], issues: [] };
}

function issue({ place }: LabelRow, message: string): Issue {
  const at = locationAt(place.source, place.offset);
  const hint = 'Claims of one answer have its `id`, and a `criterion` each, such as claim-1.';
  return { code: 'bad_label', severity: 'error', message, at, hint };
}
