import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { PasskError } from '../../errors.ts';
import { startClock } from '../../pool/start-clock.ts';
import type { ScrubCount, ScrubKind } from '../../pii/scrubber.ts';
import { nodeFiles } from '../../records/file-layer.ts';
import { makeFolder } from '../../records/make-folder.ts';
import { putInPlace, writeFileWhole } from '../../records/write-file-whole.ts';
import { resolveRunOptions } from '../../settings/options.ts';
import { MAX_FILE_BYTES } from '../../source/max-file-bytes.ts';
import { buildProgram } from '../../trial/build-program.ts';
import type { JsonObject } from '../../types/json.ts';
import { fileProblem } from '../../values/file-problem.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { sourceOf } from '../../types/subjects.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { ExportTrialsOptions } from '../recordings/export-trials.ts';
import { prepareRun } from '../run-suite.ts';
import { runSuite } from '../run-suite.ts';
import { type ConsentPolicy, isConsented, readConsent } from './consent.ts';
import { type ImportedSession, importedSession, type SessionParts } from './imported-session.ts';
import { readToolDefinitions } from './tool-definitions.ts';
import { type ScrubRules, scrubberOf } from './scrub-files.ts';
import { isRefused, REFUSALS, type Refusal, type RefusedTrace, traceDraft } from './trace-draft.ts';

/** Places of refused traces that are told, for each reason. */
const MOST_PLACES = 20;

/** Options of `importTraces()`. */
export interface ImportTracesOptions extends ExportTrialsOptions, ScrubRules {
  /** The folder that gets the files; it may hold those of earlier imports. */
  readonly out: string;
  /** The file with the policy by which traces may be kept. */
  readonly consent: string;
  /** What tokens are made with. Default: one that nobody keeps. */
  readonly key?: string;
  /** A JSON file with what tools are called with, as providers and MCP have it. */
  readonly tools?: string;
  /** The day that goes into the files; default today. */
  readonly today?: string;
}

export interface RefusedTraces {
  /** Why they were refused. */
  readonly reason: Refusal;
  /** How many traces were refused for this reason. */
  readonly count: number;
  /** In words, of the first; without personal data. */
  readonly message: string;
  /** Where the first of them stand. */
  readonly places: readonly {
    /** The id of the trace; null: it has none. */
    readonly trace: string | null;
    /** The file; null: unknown. */
    readonly file: string | null;
    /** The byte at which the trace begins; null: unknown. */
    readonly byte: number | null;
  }[];
}

/** What became of traces that were imported. */
export interface ImportReport {
  readonly schema: 'passk-import/1';
  /** Traces that were read. */
  readonly traces: number;
  /** Traces of which a session was made. */
  readonly imported: number;
  /** Of imported traces: whose source says that they failed, and those that nobody judged. */
  readonly failed: number;
  /** Sessions without a verdict of their source. */
  readonly unjudged: number;
  /** Stand in the folder from an earlier import, and stay as they are. */
  readonly present: number;
  /** The same trace once more. */
  readonly repeated: number;
  /** Traces of which none was made, by reason. */
  readonly refused: readonly RefusedTraces[];
  /** What was replaced by tokens. */
  readonly scrubbed: Readonly<Partial<Record<ScrubKind, ScrubCount>>>;
  /** True: sessions were added to a folder that was there. */
  readonly joins: boolean;
  /** What sources hold that is no trace or cannot be read, without personal data. */
  readonly problems: readonly string[];
  /** Names of the new files, without the folder. */
  readonly files: readonly string[];
}

interface Found {
  readonly session: ImportedSession;
  readonly record: TrialRecord;
  readonly passed: boolean | null;
}

/**
 * Makes a session with recorded tools of each trace. What stands in the folder stays; each new session was held once, with the
 * answers that were recorded, before it is put there. Rejects with `INPUT` or `USAGE` where nothing can be read.
 */
export async function importTraces(options: ImportTracesOptions): Promise<ImportReport> {
  const { out, consent: policyFile, key, cwd = '.', tools, today = new Date().toISOString().slice(0, 10) } = options;
  const scrubber = await scrubberOf(options);
  const policy = readConsent(policyFile, cwd);
  const definitions = tools === undefined ? new Map<string, JsonObject>() : await readToolDefinitions(tools, cwd);
  const parts = { scrubber, consent: policy.consent, today, definitions };
  const { recordings, format, map, scorer, passScore, upstreamSemantics, plugins, signal, onProgress } = options;
  const { plan, input } = await prepareRun(
    resolveRunOptions({
      recordings,
      cwd,
      ...(format !== undefined && { format }),
      ...(map !== undefined && { map }),
      ...(scorer !== undefined && { scorer }),
      ...(passScore !== undefined && { passScore }),
      ...(upstreamSemantics !== undefined && { upstreamSemantics }),
      ...(plugins !== undefined && { plugins }),
      ...(signal !== undefined && { signal }),
      ...(onProgress !== undefined && { onProgress }),
    }),
  );
  const folder = path.resolve(cwd, out);
  await requireFolder(folder, out);
  const refusals = new Refusals((text) => scrubber.text(text));
  const found = new Map<string, Found>();
  const counts = { traces: 0, present: 0, repeated: 0 };
  for (const scenario of plan.scenarios) {
    const source = sourceOf(scenario.scenario.subject);
    for await (const record of recordsOf(scenario, plan.plugins)) {
      counts.traces++;
      const one = foundIn(record, { source, policy, parts });
      if ('reason' in one) refusals.add(one, record);
      else if (found.has(one.session.id)) counts.repeated++;
      else if ((await nodeFiles.kindOf(path.join(folder, `${one.session.id}.toml`))) !== 'absent') {
        counts.present++;
        found.set(one.session.id, { ...one, session: { ...one.session, session: '' } });
      } else found.set(one.session.id, one);
    }
  }
  const fresh = [...found.values()].filter(({ session }) => session.session !== '');
  const replayed = fresh.length === 0 ? [] : await keepThoseThatReplay(fresh, { folder, refusals });
  return {
    schema: 'passk-import/1',
    ...counts,
    imported: replayed.length,
    failed: replayed.filter(({ passed }) => passed === false).length,
    unjudged: replayed.filter(({ passed }) => passed === null).length,
    refused: refusals.list(),
    scrubbed: scrubber.counts,
    joins: key !== undefined,
    problems: input.suite.issues.map(({ message, at }) =>
      scrubber.text(at === undefined ? message : `${at.file}: ${message}`),
    ),
    files: replayed.map(({ session }) => `${session.id}.toml`),
  };
}

function foundIn(
  record: TrialRecord,
  { source, policy, parts }: { readonly source: string; readonly policy: ConsentPolicy; readonly parts: SessionParts },
): Found | RefusedTrace {
  const draft = traceDraft(record, source);
  if (isRefused(draft) && (draft.reason === 'unreadable' || draft.reason === 'no_id')) return draft;
  if (!isConsented(record, policy)) {
    return { reason: 'not_consented', why: `It does not show that the policy ${policy.consent.policy} covers it.` };
  }
  if (isRefused(draft)) return draft;
  const session = importedSession(draft, parts);
  const longest = Math.max(Buffer.byteLength(session.session), Buffer.byteLength(session.tools));
  if (longest > MAX_FILE_BYTES) {
    return { reason: 'too_large', why: `It takes ${longest} bytes; a file has ${MAX_FILE_BYTES} at most.` };
  }
  return { session, record, passed: draft.passed };
}

async function* recordsOf(plan: ScenarioPlan, plugins: readonly string[]): AsyncGenerator<TrialRecord> {
  const { scenario } = plan;
  // A trace that nobody judged is a trace all the same.
  const { claimed: _, ...expected } = scenario.expected;
  const unjudged = { ...plan, scenario: { ...scenario, expected } } as ScenarioPlan;
  const program = await buildProgram(unjudged, { plugins, callHost: null, startClock, effects: null });
  try {
    for (let trial = 0; trial < plan.trials; trial++) yield program.inspectNow(trial, true).record;
  } finally {
    await program.close();
  }
}

async function requireFolder(folder: string, name: string): Promise<void> {
  const kind = await nodeFiles.kindOf(folder);
  if (kind === 'absent' || kind === 'folder') return;
  throw new PasskError('OUTPUT', `${name} is no folder.`, { hint: 'Name a folder: --out DIR.' });
}

function makeOutput(folder: string): void {
  try {
    makeFolder(folder);
  } catch (cause) {
    throw new PasskError('OUTPUT', `${folder} cannot be made: ${fileProblem(cause)}.`, {
      hint: 'Name a folder that may be written to: --out DIR.',
      cause,
    });
  }
}

/** Holds each session once beside the folder; those that come out as recorded are put into it, tools before sessions. */
async function keepThoseThatReplay(
  found: readonly Found[],
  { folder, refusals }: { readonly folder: string; readonly refusals: Refusals },
): Promise<readonly Found[]> {
  const draft = `${folder}.${randomUUID()}.tmp`;
  try {
    makeOutput(draft);
    for (const { session } of found) {
      await writeFileWhole(path.join(draft, `${session.id}.tools.json`), Buffer.from(session.tools));
      await writeFileWhole(path.join(draft, `${session.id}.toml`), Buffer.from(session.session));
    }
    const { scenarios } = await runSuite({ paths: [draft], cwd: draft, workers: 0 });
    const verdicts = new Map(scenarios.map((scenario) => [path.basename(scenario.file), scenario]));
    const replayed: Found[] = [];
    makeOutput(folder);
    for (const one of found) {
      const { id } = one.session;
      const scenario = verdicts.get(`${id}.toml`);
      if (scenario?.verdict !== 'passed') {
        const [problem] = scenario?.verdict === 'load_error' ? scenario.loadErrors : [];
        const why = problem?.message ?? 'Held again with the answers that were recorded, it does not end as it did.';
        refusals.add({ reason: 'does_not_replay', why }, one.record);
        continue;
      }
      for (const name of [`${id}.tools.json`, `${id}.toml`]) {
        await putInPlace(path.join(draft, name), path.join(folder, name), nodeFiles);
      }
      replayed.push(one);
    }
    return replayed;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

class Refusals {
  private readonly byReason = new Map<
    Refusal,
    { count: number; message: string; places: RefusedTraces['places'][number][] }
  >();
  private readonly clean: (text: string) => string;

  constructor(clean: (text: string) => string) {
    this.clean = clean;
  }

  add({ reason, why }: RefusedTrace, { recording }: TrialRecord): void {
    const entry = this.byReason.get(reason) ?? { count: 0, message: this.clean(why), places: [] };
    this.byReason.set(reason, entry);
    entry.count++;
    if (entry.places.length >= MOST_PLACES) return;
    const [file] = recording?.at.files ?? [];
    entry.places.push({
      trace: recording?.id == null ? null : this.clean(recording.id),
      file: file === undefined ? null : this.clean(file),
      byte: recording?.at.byte ?? null,
    });
  }

  list(): readonly RefusedTraces[] {
    return REFUSALS.flatMap((reason) => {
      const entry = this.byReason.get(reason);
      return entry === undefined ? [] : [{ reason, ...entry }];
    });
  }
}
