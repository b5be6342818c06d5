import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { PasskError } from '../../errors.ts';
import { digestOf } from '../../records/plan-digest.ts';
import { workflowFile } from '../../scenario/load-workflow.ts';
import { type ResolvedRunOptions, resolveRunOptions, type RunSuiteOptions } from '../../settings/options.ts';
import { parseToml } from '../../source/toml-document.ts';
import { readSource } from '../../source/source-file.ts';
import { prepareRun } from '../../suite/plan.ts';
import type { Json } from '../../types/json.ts';
import type { CertifiedFile, CertifiedSubject } from '../../types/release/certificate.ts';
import type { Scenario } from '../../types/scenario.ts';
import { tableAt, textAt } from '../../workflow/raw-data.ts';
import { modelPins } from '../model-pins.ts';
import { contentHash, subjectHash } from '../scenario-hash.ts';

/** What a certificate is about, as it stands in the folder now; nothing is run. */
export interface FoundSubject {
  readonly subject: CertifiedSubject;
  readonly scenarios: readonly Scenario[];
}

/**
 * Loads what is to be certified. Rejects with `INPUT` where a file does not load, and with `USAGE` for recorded runs, which
 * say nothing of what runs next.
 */
export async function findSubject(
  runOptions: RunSuiteOptions,
  pins: Readonly<Record<string, string>>,
): Promise<FoundSubject> {
  const options: ResolvedRunOptions = resolveRunOptions(runOptions);
  const { input, plan } = await prepareRun(options);
  const scenarios = plan.scenarios.map(({ scenario }) => scenario);
  const recorded = scenarios.find(({ subject }) => subject.kind === 'recording');
  if (recorded !== undefined) {
    throw new PasskError('USAGE', `"${recorded.name}" holds recorded runs, which nobody can run unattended.`, {
      hint: 'Certify scenarios that passk runs.',
    });
  }
  const files = filesOf(scenarios, { root: input.root, cwd: options.cwd });
  const policies = new Set(scenarios.map((scenario) => contentHash(policyOf(scenario))));
  return {
    scenarios,
    subject: {
      files,
      workflowHash: subjectHash(scenarios),
      policyHash: contentHash([...policies].sort()),
      modelPins: modelPins(plan, pins),
    },
  };
}

function policyOf({ subject }: Scenario): Json {
  return subject.kind === 'workflow' ? (subject.policy as unknown as Json) : null;
}

interface Folders {
  readonly root: string;
  readonly cwd: string;
}

/** The bytes of the scenarios' files, and of the workflow files that they name. */
function filesOf(scenarios: readonly Scenario[], folders: Folders): readonly CertifiedFile[] {
  const hashes = new Map<string, string>();
  const add = (file: string): void => {
    const name = path.relative(folders.root, file).split(path.sep).join('/');
    hashes.set(name, digestOf(readFileSync(file)));
  };
  for (const name of new Set(scenarios.map(({ file }) => file))) {
    const file = path.resolve(folders.root, name);
    // Scenarios in memory have no file.
    if (!isFile(file)) continue;
    add(file);
    const workflow = workflowOf(file, folders);
    if (workflow !== null) add(workflow);
  }
  return [...hashes].map(([name, sha256]) => ({ name, sha256 })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Null: the workflow stands in the scenario's own file. */
function workflowOf(scenarioFile: string, { root, cwd }: Folders): string | null {
  const read = readSource(scenarioFile, { root });
  const parsed = read.ok ? parseToml(read.source) : null;
  if (parsed === null || !parsed.ok) return null;
  const { data } = parsed.document;
  // A contract may name its file alone.
  const named = textAt(data, 'workflow');
  const table = named === undefined ? tableAt(data, 'workflow') : { path: named };
  return workflowFile(table, { root, cwd, folder: path.dirname(scenarioFile) })?.path ?? null;
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
