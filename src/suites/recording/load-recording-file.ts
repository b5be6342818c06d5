import { unloadedDocument } from '../unloaded-document.ts';
import { readCodeChecks } from '../../scenario/files/read-code-checks.ts';
import { readPreference } from '../../scenario/read-expected.ts';
import { checkFaithful } from '../../checks/faithful/check-faithful.ts';
import { readFaithful } from '../../checks/faithful/read-faithful.ts';
import { readOrigin } from '../../scenario/read-origin.ts';
import type { RegistryView } from '../../scenario/registry-view.ts';
import { checkSchema } from '../../source/check-schema.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { Origin } from '../../types/release/origin.ts';
import { ERROR_POLICIES } from '../../types/recording.ts';
import type { LoadedScenario, Scenario } from '../../types/scenario.ts';
import type { Expected } from '../../types/scenarios/expected.ts';
import { freezeDeep } from '../../values/freeze-deep.ts';
import { numberAt, tableAt, tablesAs, textAt, textsAt } from '../../workflow/raw-data.ts';
import { type Report, toIssue } from '../../workflow/report.ts';
import { readInvariants } from '../contract/read-invariants.ts';
import { readGold } from '../gold-keys.ts';
import type { LoadDocumentOptions, LoadedDocument } from '../suite-kind.ts';
import { findRecordings } from './find-recordings.ts';
import type { FoundRecording } from './found-set.ts';
import { recordedScenario } from './recorded-scenario.ts';
import { recordingFileSchema } from './recording-file-schema.ts';

/** Loads a file with a table `[recording]`: each set of runs that its files hold becomes a scenario. */
export async function loadRecordingFile(
  document: SourceDocument,
  view: RegistryView,
  options: LoadDocumentOptions,
): Promise<LoadedDocument> {
  const { data, source, locate } = document;
  const issues: Issue[] = checkSchema(document, [], recordingFileSchema);
  const report: Report = (problem) => issues.push(toIssue(problem, locate));
  const table = tableAt(data, 'recording');
  const places = { root: options.root, folder: options.folder };
  const reading = { document, places, profiles: new Map(), report, plugins: view };
  const invariants = readInvariants(table, ['recording'], reading, { named: false });
  const inRecording = {
    at: ['recording'],
    document,
    places: { ...places, cwd: options.folder },
    checks: view.checks,
    report,
  };
  const checks = readCodeChecks(table, inRecording);
  checkFaithful(tableAt(table, 'faithful'), { at: ['recording', 'faithful'], report });
  const files = textsAt(table, 'files');
  if (files.length === 0 && !issues.some(isError)) {
    report({ code: 'out_of_range', message: '"recording.files" must not be empty.', at: ['recording', 'files'] });
  }
  const found = issues.some(isError)
    ? { sets: [], issues: [] }
    : await findRecordings({
        recordings: files,
        format: textAt(table, 'format') ?? null,
        map: mapOf(tableAt(table, 'map')),
        scorer: textAt(table, 'scorer') ?? null,
        passScore: numberAt(table, 'pass_score') ?? 1,
        errors: ERROR_POLICIES.find((policy) => policy === textAt(table, 'errors')) ?? 'fail',
        cwd: options.folder,
        root: options.root,
        ...(options.within !== undefined && { within: options.within }),
        importers: view.importers ?? new Map(),
        step: options.step ?? (() => undefined),
      });
  // What is wrong with what it names is wrong with the line that names it.
  issues.push(...found.issues.map((issue) => ({ ...issue, at: locate(['recording', 'files']) })));
  const name = textAt(data, 'name') ?? source.name;
  if (issues.some(isError)) {
    return unloadedDocument(source.name, { name, issues });
  }
  const isOwn = textAt(table, 'verdict') === 'own';
  const judges = [...new Set(textsAt(table, 'judges'))];
  const prefers = tablesAs(table, 'prefers', readPreference);
  const rows = found.sets.map((set, at): LoadedScenario => {
    const scenario = scenarioOf(set, { document, name, isOne: found.sets.length === 1 });
    const { claimed: _, ...unclaimed } = scenario.expected;
    const similarity = textAt(table, 'similarity');
    const expected = {
      ...(isOwn ? unclaimed : scenario.expected),
      ...goldOf(table),
      ...(checks.length > 0 && { checks }),
      ...(judges.length > 0 && { judges }),
      ...(prefers.length > 0 && { prefers }),
      ...readFaithful(table),
      ...(invariants.length > 0 && {
        invariants: { list: invariants, ...(similarity !== undefined && { similarity }) },
      }),
    };
    return {
      ok: true,
      file: source.name,
      scenario: freezeDeep({ ...scenario, expected, inFile: ['recording'] }),
      issues: at === 0 ? issues : [],
    };
  });
  return { rows, definitions: [], notRun: [], issues };
}

interface Naming {
  readonly document: SourceDocument;
  readonly name: string;
  /** True: the file has one set, which needs no name of its own. */
  readonly isOne: boolean;
}

function scenarioOf(set: FoundRecording, { document: { data, source }, name, isOne }: Naming): Scenario {
  const description = textAt(data, 'description');
  const origin = originOf(readOrigin(data), set);
  return {
    ...recordedScenario(set),
    name: isOne ? name : `${name}: ${set.name}`,
    file: source.name,
    ...(description !== undefined && { description }),
    tags: textsAt(data, 'tags'),
    ...(origin !== null && { origin }),
    minPassRate: numberAt(data, 'min_pass_rate') ?? null,
  };
}

/** Runs whose verdict is whether the work was done resist nothing by passing, whatever the file says of the others. */
function originOf(origin: Origin | null, { subject: { attack } }: FoundRecording): Origin | null {
  if (origin === null || attack === undefined || attack.tells === 'resisted') return origin;
  const { suite, attack: attacked, ...rest } = origin;
  const isUnderAttack = attack.tells === 'utility' && attacked !== undefined;
  return {
    ...rest,
    ...(suite !== undefined && suite !== 'adversarial' && { suite }),
    ...(isUnderAttack && { attack: attacked }),
  };
}

/** Nothing where the file does not ask for it. */
function goldOf(table: JsonObject): Pick<Expected, 'gold'> {
  return Object.hasOwn(table, 'gold') ? { gold: readGold(tableAt(table, 'gold')) } : {};
}

function mapOf(table: Readonly<Record<string, Json>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

function isError({ severity }: Issue): boolean {
  return severity === 'error';
}
