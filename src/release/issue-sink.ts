import { appendFile } from 'node:fs/promises';
import { PasskError } from '../errors.ts';
import { fileProblem } from '../values/file-problem.ts';
import { digestOf } from '../records/plan-digest.ts';
import type { AxisReason, EvalBody, EvalScenario } from '../types/release/eval-body.ts';
import type { EvalResult } from '../types/release/eval-result.ts';
import type { ReleaseIssue } from '../types/release/release-issue.ts';
import { AXES, type Axis } from '../types/release/release-rules.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { isGating } from './axes/outcome-axis.ts';
import { readFingerprints } from './record-files.ts';

const MOST_SCENARIOS = 20;

/** What failed in a release, one issue for each axis and code; []: nothing that decides did. */
export function issuesOf({ body, bodyHash }: Pick<EvalResult, 'body' | 'bodyHash'>): readonly ReleaseIssue[] {
  const { candidate, tier, axes, governance } = body;
  const failed = (reasons: readonly AxisReason[]) => reasons.filter(({ verdict }) => verdict === 'fail');
  const places = [
    ...AXES.filter((axis) => !axes[axis].isAdvisory).map((axis) => ({ axis, reasons: failed(axes[axis].reasons) })),
    { axis: 'governance', reasons: failed(governance) } as const,
  ];
  return places.flatMap(({ axis, reasons }) =>
    [...new Set(reasons.map(({ code }) => code))].map((code): ReleaseIssue => {
      const about = { candidate: candidate.name, tier, axis, code };
      return {
        fingerprint: digestOf(canonicalJson(about)),
        ...about,
        version: candidate.version,
        messages: reasons.filter((reason) => reason.code === code).map(({ message }) => message),
        scenarios: scenariosBehind(body, axis, code).slice(0, MOST_SCENARIOS),
        record: bodyHash,
      };
    }),
  );
}

/** A file of JSON lines that gets issues. */
export interface IssueFile {
  readonly file: string;
  /** As it is shown. */
  readonly name: string;
  /** Fingerprints that stand in it. */
  readonly earlier: ReadonlySet<string>;
}

/** Read before anything runs, so that a file of something else is told at once. Throws `INPUT` and `INTEGRITY`. */
export async function openIssueFile(file: string, name: string): Promise<IssueFile> {
  return { file, name, earlier: await readFingerprints(file, name) };
}

/**
 * Adds issues to a file of JSON lines, those whose fingerprints stand in it already left out. Resolves to those that are new.
 * Rejects with `OUTPUT` where the file cannot be written; `hint` says what stands all the same.
 */
export async function sinkIssues<Issue extends { readonly fingerprint: string }>(
  issues: readonly Issue[],
  { file, name, earlier }: IssueFile,
  hint: string,
): Promise<readonly Issue[]> {
  const fresh = issues.filter(({ fingerprint }) => !earlier.has(fingerprint));
  try {
    await appendFile(file, fresh.map((issue) => `${JSON.stringify(issue)}\n`).join(''));
  } catch (cause) {
    throw new PasskError('OUTPUT', `The issues cannot be written to ${name}: ${fileProblem(cause)}.`, { hint, cause });
  }
  return fresh;
}

function scenariosBehind(
  { scenarios, governance }: EvalBody,
  axis: Axis | 'governance',
  code: string,
): readonly string[] {
  const failing = (is: (one: EvalScenario) => boolean): readonly string[] =>
    scenarios.filter((one) => one.failed > 0 && is(one)).map(({ name }) => name);
  switch (axis) {
    case 'outcome':
      return failing(isGating);
    case 'safety':
      return failing(({ suite }) => suite === 'adversarial');
    case 'governance':
      return governance.filter((finding) => finding.code === code).flatMap((finding) => finding.scenarios);
    default:
      return [];
  }
}
