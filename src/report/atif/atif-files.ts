import { createHash } from 'node:crypto';
import type { JsonObject } from '../../types/json.ts';
import type { Cut, LedgerLine } from '../../types/record.ts';
import type { ReportFile } from '../../types/render-options.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import type { FailureReport } from '../../types/scenarios/failure-report.ts';
import { visibleJson } from '../../text/visible-text.ts';
import { textAt } from '../../values/json-fields.ts';
import { mapTexts } from '../../values/map-texts.ts';
import { atifSteps } from './atif-turns.ts';

/** A trajectory in ATIF 1.6 for each trial that the report keeps, in a file of its own. */
export function atifFiles(report: SuiteReport): readonly ReportFile[] {
  return trajectoriesOf(report).map((one) => ({ name: `${one.session_id}.json`, text: `${textOf(one, 1)}\n` }));
}

/** Whether `atifFiles` made this file: a trajectory of passk under its session's name. */
export function isAtifFile({ name, text }: ReportFile): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  const isNamed = name === `${textAt(value, 'session_id')}.json`;
  return (
    isNamed && textAt(value, 'schema_version') === 'ATIF-v1.6' && textAt(value, 'extra', 'passk', 'version') !== null
  );
}

/** The same trajectories as one list. */
export function renderAtif(report: SuiteReport): string {
  return `${textOf(trajectoriesOf(report), 0)}\n`;
}

type Trajectory = JsonObject & { readonly session_id: string };

function trajectoriesOf(report: SuiteReport): readonly Trajectory[] {
  return report.scenarios.flatMap((scenario, at) => {
    if (!('failures' in scenario)) return [];
    const { name, file } = scenario;
    // Names may be equal, or differ only in characters that no file name can hold.
    const digest = createHash('sha256')
      .update(JSON.stringify([at, file, name]))
      .digest('hex')
      .slice(0, 8);
    const id = `${fileWordOf(name)}-${digest}`;
    return scenario.failures.map((failure) =>
      atifTrajectory(failure, { id: `${id}-${failure.trial}`, scenario: name, file, version: report.passk }),
    );
  });
}

/** Lone surrogates become U+FFFD: JSON readers of other languages refuse them. */
function textOf(value: JsonObject | readonly JsonObject[], indent: number): string {
  return visibleJson(
    JSON.stringify(
      mapTexts(value, (text) => text.toWellFormed()),
      null,
      indent,
    ),
  );
}

/** The part of a name that can be the name of a file on every system. */
function fileWordOf(name: string): string {
  const word = name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-/, '');
  return word.slice(0, 48).replace(/-$/, '') || 'trial';
}

interface Origin {
  readonly id: string;
  readonly scenario: string;
  readonly file: string;
  /** Of passk. */
  readonly version: string;
}

/** A trial as a trajectory of ATIF 1.6. `recordOfAtif` reads its record back. */
export function atifTrajectory(failure: FailureReport, { id, scenario, file, version }: Origin): Trajectory {
  const { record, trace: _, ...facts } = failure;
  const { turns = [], ...rest } = record ?? {};
  const steps = atifSteps(turns);
  const shown = steps.length > 0 ? steps : [addedStep(failure)];
  const cuts = record?.cuts.map(cutText) ?? [];
  return {
    schema_version: 'ATIF-v1.6',
    session_id: id,
    // The format asks for a version, which a report does not hold.
    agent: { name: scenario, version: '' },
    steps: shown,
    ...(cuts.length > 0 && { notes: cuts.join('\n') }),
    final_metrics: { ...(record !== undefined && totalsOf(record.ledger)), total_steps: shown.length },
    extra: {
      task: record?.recording?.task ?? scenario,
      passk: { version, scenario, file, ...facts, record: record === undefined ? null : rest } as unknown as JsonObject,
    },
  };
}

/** A trajectory has at least one step. */
function addedStep({ record, replay }: FailureReport): JsonObject {
  const why = record === undefined ? 'The report keeps no messages of this trial.' : 'Nothing was said in this trial.';
  const how = replay === null ? '' : ` ${replay} shows it step by step.`;
  return { step_id: 1, source: 'system', message: `${why}${how}`, extra: { passk: { added: true } } };
}

/** Sums over what the subject itself used. A sum is left out where a line lacks its part. */
function totalsOf(ledger: readonly LedgerLine[]): JsonObject {
  const lines = ledger.filter(({ kind }) => kind !== 'judge' && kind !== 'user');
  const usages = lines.filter(({ kind }) => kind === 'model').map(({ usage }) => usage);
  const counted = usages.filter((usage) => usage !== null);
  const isCounted = counted.length > 0 && counted.length === usages.length;
  const sum = (key: 'promptTokens' | 'completionTokens' | 'cachedTokens'): number =>
    counted.reduce((all, usage) => all + usage[key], 0);
  const isPriced = lines.length > 0 && lines.every(({ nanoUsd }) => nanoUsd !== null);
  return {
    ...(isCounted && {
      total_prompt_tokens: sum('promptTokens'),
      total_completion_tokens: sum('completionTokens'),
      total_cached_tokens: sum('cachedTokens'),
    }),
    ...(isPriced && { total_cost_usd: lines.reduce((all, { nanoUsd }) => all + (nanoUsd ?? 0), 0) / 1e9 }),
  };
}

function cutText(cut: Cut): string {
  if ('entries' in cut) return `${cut.at} of the record is cut: the whole list has ${cut.entries} entries.`;
  return `${cut.at} of the record is cut: the whole text has ${cut.bytes} bytes, SHA-256 ${cut.sha256}.`;
}
