import { unloadedDocument } from '../unloaded-document.ts';
import { PasskError } from '../../errors.ts';
import { generatorsWith } from '../../generators/builtin.ts';
import { type Candidate, makeCandidate } from '../../generators/make-candidate.ts';
import { GeneratorWorker } from '../../pool/generate/generator-worker.ts';
import type { RegistryView } from '../../scenario/registry-view.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { GeneratedSet, RejectedScenario } from '../../types/generated/generated-set.ts';
import type { Issue } from '../../types/issue.ts';
import { textAt } from '../../workflow/raw-data.ts';
import { toIssue } from '../../workflow/report.ts';
import type { LoadDocumentOptions, LoadedDocument } from '../suite-kind.ts';
import { type CollectedSet, type Collecting, collectSet } from './collect-set.ts';
import { templateOf } from './merge-template.ts';
import { readGenerate, type WantedSet } from './read-generate.ts';

/** Loads a file with a table `[generate]`: the scenarios that its generator makes, tried out, each as its kind loads it. */
export async function loadGenerated(
  document: SourceDocument,
  view: RegistryView,
  options: LoadDocumentOptions,
): Promise<LoadedDocument> {
  const { data, source } = document;
  const name = textAt(data, 'name') ?? source.name;
  const failed = (issues: readonly Issue[]): LoadedDocument => unloadedDocument(source.name, { name, issues });
  const read = readGenerate(document, view);
  if (!read.ok) return failed(read.issues);
  const { wanted } = read;
  const { tryOut } = options;
  if (tryOut === undefined) throw new PasskError('INTERNAL', 'Nobody tries generated scenarios out.');
  const yielding = { file: document, template: templateOf(data), view, options };
  const maker = makerOf(wanted, view);
  const set = await collectSet(wanted, { yielding, name, make: maker.make, tryOut }).finally(maker.close);
  if ('issues' in set) return failed(set.issues);
  const issues = issuesOf(wanted, set, document);
  if (issues.some(({ severity }) => severity === 'error')) return failed(issues);
  const definition: GeneratedSet = {
    kind: 'generated',
    name,
    file: source.name,
    family: wanted.family,
    seed: wanted.seed,
    ...(wanted.week !== null && { week: wanted.week }),
    asked: wanted.count,
    drawn: set.drawn,
    rejected: set.rejected,
    relations: wanted.relations,
    hash: set.hash,
  };
  for (const one of set.standing) options.onGenerated?.({ set: name, name: one.name, data: one.document });
  const rows = set.standing.flatMap((one) => one.rows);
  return {
    rows: rows.map((row, at) => (at === 0 ? { ...row, issues: [...issues, ...row.issues] } : row)),
    definitions: [definition, ...set.standing.flatMap((one) => one.definitions)],
    notRun: set.standing.flatMap((one) => one.notRun),
    issues: [...issues, ...set.standing.flatMap((one) => one.issues)],
  };
}

interface Maker {
  readonly make: Collecting['make'];
  readonly close: () => Promise<void>;
}

/** Generators of passk's own end by themselves; code of the user runs in a worker. */
function makerOf({ family, timeoutMs }: WantedSet, { generators, plugins = [] }: RegistryView): Maker {
  const generator = generatorsWith(generators).get(family);
  if (generator === undefined) throw new PasskError('INTERNAL', `There is no generator "${family}".`);
  if (generators?.has(family) !== true) {
    return { make: async (of) => of.map((one) => makeCandidate(generator, one)), close: async () => {} };
  }
  const worker = new GeneratorWorker({ plugins, type: family, timeoutMs });
  return {
    make: async (of) => {
      const made: Candidate[] = [];
      for (const one of of) made.push(await worker.make(one));
      return made;
    },
    close: () => worker.close(),
  };
}

/** Too few, none, or others than the file says. */
function issuesOf(
  { family, count, hash }: WantedSet,
  { standing, drawn, rejected, hash: made }: CollectedSet,
  { locate }: SourceDocument,
): readonly Issue[] {
  const stands = new Set(standing.flatMap(({ rows }) => rows.map(({ scenario }) => scenario.generated?.n))).size;
  if (stands === 0) {
    const [first] = rejected;
    const message = `Of ${drawn} generated scenarios none stands: ${countsOf(rejected)}.${first === undefined ? '' : ` The first: ${first.detail}`}`;
    const hint = 'Choose other parameters, or mend the generator.';
    return [toIssue({ code: 'nothing_generated', message, at: ['generate'], part: 'key', hint }, locate)];
  }
  if (hash !== null && hash !== made) {
    const message = `The generated set is another one: its hash is ${made}.`;
    const hint = `Another version of "${family}", or other parameters, give other scenarios. Look at them, and write this hash.`;
    return [toIssue({ code: 'other_set', message, at: ['generate', 'hash'], hint }, locate)];
  }
  if (stands >= count) return [];
  const message = `Only ${stands} of ${count} wanted scenarios stand: ${drawn} were generated, and thrown out: ${countsOf(rejected)}.`;
  const at = ['generate', 'count'];
  return [toIssue({ code: 'few_generated', severity: 'warning', message, at }, locate)];
}

/** Such as `3 null_passes, 1 double`. */
function countsOf(rejected: readonly RejectedScenario[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of rejected) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${count} ${reason}`).join(', ');
}
