import { RecordedFiles } from '../../../effects/recorded-files.ts';
import { langsmith } from '../../../importers/langsmith/langsmith.ts';
import type { ImporterType } from '../../../plugin/importer-type.ts';
import { RecordingRunner } from '../../../trial/recording/recording-runner.ts';
import type { RecordedResponse } from '../../../types/chaos.ts';
import type { Issue } from '../../../types/issue.ts';
import type { JsonObject } from '../../../types/json.ts';
import type { TrialRecord } from '../../../types/record.ts';
import { textAt as fieldText } from '../../../values/json-fields.ts';
import { textOf } from '../../../values/message-text.ts';
import { numberAt, tableAt, textAt } from '../../../workflow/raw-data.ts';
import { findRecordings } from '../../recording/find-recordings.ts';
import type { FoundRecording } from '../../recording/found-set.ts';
import type { ContractPlaces } from '../reading.ts';
import type { LoadedSession, SessionPlace } from './loaded-session.ts';

export interface RunsOptions extends ContractPlaces {
  readonly importers: ReadonlyMap<string, ImporterType>;
  readonly step: () => void | Promise<void>;
}

interface SessionsOfRuns {
  readonly sessions: readonly LoadedSession[];
  readonly issues: readonly Issue[];
}

/** Sessions that one source gives; more are hardly meant. */
const MOST = 1000;

/** The runs of an export of LangSmith, as sessions; of a source without a file none. What is left out is told. */
export async function sessionsOfRuns(source: SessionPlace, options: RunsOptions): Promise<SessionsOfRuns> {
  const { document, table, at } = source;
  const file = textAt(table, 'file');
  if (file === undefined) return { sessions: [], issues: [] };
  const place = document.locate([...at, 'file']);
  const found = await findRecordings({
    recordings: [file],
    format: langsmith.type,
    map: {},
    scorer: null,
    passScore: 1,
    errors: 'fail',
    cwd: options.folder,
    root: options.root,
    ...(options.within !== undefined && { within: options.within }),
    importers: options.importers,
    step: options.step,
  });
  const issues: Issue[] = found.issues.map((issue) => ({ ...issue, at: place }));
  const tell = (code: string, severity: Issue['severity'], message: string, hint?: string): void =>
    void issues.push({ code, severity, message, at: place, ...(hint !== undefined && { hint }) });
  if (textAt(tableAt(table, 'filter'), 'date_range') !== undefined) {
    tell('ignored_key', 'warning', '"date_range" has no effect: the export has the runs that it has.');
  }
  const sessions: LoadedSession[] = [];
  const left: string[] = [];
  for (const set of found.sets.filter((one) => isOfProject(one, table))) {
    for (const record of recordsOf(set, options.root)) {
      await options.step();
      if (!isWanted(record, table)) continue;
      const session = sessionOf(record);
      if (typeof session === 'string') left.push(session);
      else sessions.push({ ...session, rules: null, at: place });
    }
  }
  const isOne = textAt(table, 'type') === 'langsmith_run';
  if (left.length > 0) {
    tell(
      'unreplayable_run',
      isOne ? 'error' : 'warning',
      `${left.length} runs cannot be replayed. The first: ${left[0]}`,
    );
  } else if (sessions.length === 0 && !issues.some(({ severity }) => severity === 'error')) {
    const wanted = isOne ? `the run "${textAt(table, 'run_id') ?? ''}"` : 'such runs';
    tell(
      'no_runs',
      'error',
      `The export ${file} does not hold ${wanted}.`,
      'Take filters away, or name another export.',
    );
  }
  if (sessions.length > MOST)
    tell('too_many', 'error', `The export gives ${sessions.length} sessions; at most ${MOST} are run.`);
  return { sessions: sessions.slice(0, MOST), issues };
}

function isOfProject({ subject }: FoundRecording, table: JsonObject): boolean {
  const project = textAt(table, 'project');
  return project === undefined || subject.set === project;
}

function* recordsOf({ runs, subject }: FoundRecording, root: string): Generator<TrialRecord> {
  const files = new RecordedFiles(
    root,
    subject.sources.flatMap((source) => source.files),
  );
  const runner = new RecordingRunner({ importer: langsmith, subject, files, needsVerdict: false });
  try {
    for (let run = 0; run < runs; run++) yield runner.read(run);
  } finally {
    files.close();
  }
}

/** As the filter of the source says; of a single run, whether it is that. */
function isWanted({ recording, ending, calls }: TrialRecord, table: JsonObject): boolean {
  if (textAt(table, 'type') === 'langsmith_run') return recording?.id === textAt(table, 'run_id');
  const filter = tableAt(table, 'filter');
  const status = textAt(filter, 'status') ?? 'error';
  const least = numberAt(filter, 'min_latency_ms') ?? 0;
  if (least > 0 && (recording?.durationMs ?? 0) < least) return false;
  if (status === 'all') return true;
  // Runs that came to an end although something failed on the way are what a warning is about.
  return status === 'warning' ? (calls ?? []).some(({ problem }) => problem !== null) : ending.status === 'broken';
}

/** A run as a session; a text: why it is none. */
function sessionOf({ recording, ending, turns, calls }: TrialRecord): Omit<LoadedSession, 'rules' | 'at'> | string {
  const id = recording?.id ?? null;
  if (recording === undefined || id === null) return ending.status === 'broken' ? ending.reason : 'A run has no id.';
  const asked = turns.find(({ role }) => role === 'user');
  const input = asked === undefined ? '' : textOf(asked.parts);
  if (input === '') return `The run "${id}" does not say what its subject was asked.`;
  const gap = recording.unsaid['calls'];
  if (gap !== undefined) return `Of the steps of the run "${id}", ${gap}.`;
  return {
    id,
    name: fieldText(recording.extra, 'name'),
    source: langsmith.type,
    input,
    expectedFailure: ending.status === 'broken' ? ending.reason : null,
    recorded: (calls ?? []).map(
      ({ names, result, problem }): RecordedResponse => ({
        tool: names[0] ?? '',
        status: problem === null ? 200 : 0,
        response: problem ?? result,
        delayMs: 0,
      }),
    ),
  };
}
