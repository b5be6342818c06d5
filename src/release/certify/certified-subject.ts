import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PasskError } from '../../errors.ts';
import { readPlain } from '../../records/open-plain.ts';
import { digestOf } from '../../records/plan-digest.ts';
import { type ResolvedRunOptions, resolveRunOptions, type RunSuiteOptions } from '../../settings/options.ts';
import { commonFolder } from '../../source/discover.ts';
import { displayName } from '../../source/source-file.ts';
import { isConstant } from '../../suite/is-constant.ts';
import { loadFor } from '../../suite/load-suite.ts';
import { prepareRun } from '../../suite/run-suite.ts';
import type { Json } from '../../types/json.ts';
import type { CertifiedFile, CertifiedSubject } from '../../types/release/certificate.ts';
import type { Scenario } from '../../types/scenario.ts';
import { factsOf } from '../../types/subjects.ts';
import { modelPins } from '../model-pins.ts';
import { contentHash, subjectHash } from '../scenario-hash.ts';

/** What a certificate is about, as it stands in the folder now; nothing is run. */
export interface FoundSubject {
  readonly subject: CertifiedSubject;
  readonly scenarios: readonly Scenario[];
  /** Names of those whose trials are all the same, because nothing in them is drawn: one shows what all do. */
  readonly constant: ReadonlySet<string>;
  /** The files of the scenarios, relative to the working folder. */
  readonly paths: readonly string[];
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
  const digests = new Map<string, string>();
  const onRead = (file: string, bytes: Uint8Array): void => void digests.set(file, digestOf(bytes));
  const input = await loadFor(options, { isOwn: true, onRead });
  const { plan } = await prepareRun(options, { input });
  const scenarios = plan.scenarios.map(({ scenario }) => scenario);
  const recorded = scenarios.find(({ subject }) => factsOf(subject).isRecorded);
  if (recorded !== undefined) {
    throw new PasskError('USAGE', `"${recorded.name}" holds recorded runs, which nobody can run unattended.`, {
      hint: 'Certify scenarios that passk runs.',
    });
  }
  for (const file of codeFiles(scenarios, { root: input.root, plugins: options.plugins })) {
    onRead(file, readFileSync(file));
  }
  const tried = scenarios.flatMap((one) => factsOf(one.subject).triedFiles(one));
  for (const file of tried.map((one) => path.resolve(input.root, one))) {
    if (digests.has(file)) continue;
    const bytes = await readPlain(file).catch(() => null);
    if (bytes !== null) onRead(file, bytes);
  }
  const policies = new Set(scenarios.map((scenario) => contentHash(policyOf(scenario))));
  const files = [...new Set(scenarios.map(({ file }) => path.resolve(input.root, file)))];
  return {
    scenarios,
    constant: new Set(plan.scenarios.filter(isConstant).map(({ scenario }) => scenario.name)),
    paths: files.map((file) => displayName(file, options.cwd)).sort(),
    subject: {
      files: certifiedFiles(digests),
      workflowHash: subjectHash(scenarios),
      policyHash: contentHash([...policies].sort()),
      modelPins: modelPins(plan, pins),
    },
  };
}

function policyOf({ subject }: Scenario): Json {
  return 'policy' in subject ? ((subject.policy ?? null) as unknown as Json) : null;
}

/** Modules, what asks models behind their SDKs, and plug-ins that are no packages: they are run, and not read. */
function codeFiles(
  scenarios: readonly Scenario[],
  { root, plugins }: { readonly root: string; readonly plugins: readonly string[] },
): readonly string[] {
  const programs = scenarios
    .flatMap((one) => factsOf(one.subject).modules(one))
    .map((file) => path.resolve(root, file));
  const local = plugins.filter((module) => module.startsWith('file:')).map((module) => fileURLToPath(module));
  return [...new Set([...programs, ...local])];
}

/** Named from the folder that holds all of them, so that it does not matter where from they are looked at. */
function certifiedFiles(digests: ReadonlyMap<string, string>): readonly CertifiedFile[] {
  const files = [...digests];
  if (files.length === 0) return [];
  const folder = files.map(([file]) => path.dirname(file)).reduce(commonFolder);
  return files
    .map(([file, sha256]) => ({ name: displayName(file, folder), sha256 }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
