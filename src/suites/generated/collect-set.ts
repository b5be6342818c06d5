import { createHash } from 'node:crypto';
import type { Candidate, CandidateOf } from '../../generators/make-candidate.ts';
import { relate } from '../../generators/relations/relate.ts';
import { seededRandom } from '../../generators/seeded-random.ts';
import type { GeneratedScenario } from '../../plugin/generator-type.ts';
import type { RejectedScenario, Rejection, Relation } from '../../types/generated/generated-set.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import type { Scenario } from '../../types/scenario.ts';
import { canonicalJson } from '../../values/canonical-json.ts';
import type { TriedScenario, TryOut } from '../../types/generated/try-out.ts';
import { loadYielded, type Yielded, type Yielding } from './load-yielded.ts';
import type { WantedSet } from './read-generate.ts';

type Loaded = Extract<Yielded, { readonly kind: 'loaded' }>;

/** A document that stands. */
export interface Standing extends Loaded {
  readonly name: string;
}

export interface CollectedSet {
  readonly standing: readonly Standing[];
  readonly drawn: number;
  readonly rejected: readonly RejectedScenario[];
  readonly hash: string;
}

export interface Collecting {
  readonly yielding: Yielding;
  /** Name of the set. */
  readonly name: string;
  /** Generates scenarios, in the order asked for. */
  readonly make: (of: readonly CandidateOf[]) => Promise<readonly Candidate[]>;
  readonly tryOut: TryOut;
}

/** So many scenarios are drawn at most for each that is wanted. */
const DRAWS_FOR_ONE = 5;

/** Generates until enough stands or too much has been drawn. Problems of the file itself end it. */
export async function collectSet(
  wanted: WantedSet,
  collecting: Collecting,
): Promise<CollectedSet | { readonly issues: readonly Issue[] }> {
  const { count, seed, params } = wanted;
  const most = count * DRAWS_FOR_ONE + DRAWS_FOR_ONE;
  const rejected: RejectedScenario[] = [];
  const standing: Standing[] = [];
  const hashed = createHash('sha256').update(canonicalJson(headOf(wanted)));
  const contents = new Set<string>();
  let drawn = 0;
  let stands = 0;
  const digits = String(most - 1).length;
  while (stands < count && drawn < most) {
    const from = drawn;
    const length = Math.min(count - stands, most - drawn);
    drawn += length;
    const candidates = await collecting.make(Array.from({ length }, (_, i) => ({ seed, n: from + i, params })));
    const originals = candidates.map((candidate): Variant | RejectedScenario => {
      const { n } = candidate;
      const name = `${collecting.name} ${String(n).padStart(digits, '0')}`;
      if (candidate.ok) return { n, seed: candidate.seed, name, scenario: candidate.scenario };
      return { n, seed: candidate.seed, reason: candidate.reason, detail: candidate.detail };
    });
    const vetted = await vet(originals, collecting, contents);
    if ('issues' in vetted) return vetted;
    rejected.push(...vetted.rejected);
    const related = vetted.stands.map(({ variant }) => relatedTo(variant, wanted.relations, seed));
    const others = await vet(related.flat(), collecting, null);
    if ('issues' in others) return others;
    rejected.push(...others.rejected);
    stands += vetted.stands.length;
    for (const { variant, loaded, oracles } of vetted.stands) {
      const own = others.stands.filter((one) => one.variant.n === variant.n);
      for (const one of [{ variant, loaded, oracles }, ...own]) {
        standing.push({ ...one.loaded, name: one.variant.name });
        hashed.update(canonicalJson(hashedOf(one.variant, one.oracles)));
      }
    }
  }
  return { standing, drawn, rejected, hash: hashed.digest('hex') };
}

/** A generated scenario, or one that was made of it. */
interface Variant {
  readonly n: number;
  readonly seed: number;
  readonly name: string;
  readonly relation?: Relation;
  /** Name of the scenario that it was made of; absent: of none. */
  readonly original?: string;
  readonly scenario: GeneratedScenario;
}

interface Stands {
  readonly variant: Variant;
  readonly loaded: Loaded;
  readonly oracles: readonly JsonObject[];
}

interface Vetted {
  readonly stands: readonly Stands[];
  readonly rejected: readonly RejectedScenario[];
}

/** Loads scenarios, tries them out together, and throws out what says nothing. `contents`: those that there are; null: doubles may be. */
async function vet(
  all: readonly (Variant | RejectedScenario)[],
  { yielding, tryOut }: Collecting,
  contents: Set<string> | null,
): Promise<Vetted | { readonly issues: readonly Issue[] }> {
  const rejected: RejectedScenario[] = [];
  const loaded: { readonly variant: Variant; readonly loaded: Loaded }[] = [];
  for (const variant of all) {
    if ('reason' in variant) {
      rejected.push(variant);
      continue;
    }
    const { n, seed, name, relation, original, scenario } = variant;
    const place = { n, seed, ...(relation !== undefined && { relation }), ...(original !== undefined && { original }) };
    const one = await loadYielded(scenario.document, { name, place }, yielding);
    await yielding.options.step?.();
    if (one.kind === 'file') return { issues: one.issues };
    if (one.kind === 'loaded') loaded.push({ variant, loaded: one });
    else rejected.push(rejectedAs(variant, 'invalid', one.problem));
  }
  const tried = await tryOut(loaded.map((one) => one.loaded));
  const stands: Stands[] = [];
  for (const [at, one] of loaded.entries()) {
    const tasks = tried[at] ?? [];
    const content = tasks.map(({ content: text }) => text).join('\n');
    const why = whyNot(tasks) ?? (contents?.has(content) === true ? DOUBLE : null);
    contents?.add(content);
    if (why === null) stands.push({ ...one, oracles: tasks.map(({ scenario }) => oracleOf(scenario)) });
    else rejected.push(rejectedAs(one.variant, why.reason, why.detail));
  }
  return { stands, rejected: rejected.sort((a, b) => a.n - b.n) };
}

interface Why {
  readonly reason: Rejection;
  readonly detail: string;
}

const DOUBLE: Why = { reason: 'double', detail: 'It is the same as an earlier one.' };

/** Why a scenario says nothing of whoever passes it; null: it stands. */
function whyNot(tasks: readonly TriedScenario[]): Why | null {
  for (const { passedBy, gold, scenario } of tasks) {
    const task = JSON.stringify(scenario.name);
    if (passedBy.includes('null')) return { reason: 'null_passes', detail: `Who does nothing passes ${task}.` };
    if (passedBy.includes('echo'))
      return { reason: 'echo_passes', detail: `Who repeats what it hears passes ${task}.` };
    if (gold === 'failed') return { reason: 'gold_fails', detail: `The gold plan of ${task} fails it.` };
  }
  return null;
}

function rejectedAs({ n, seed, relation }: Variant, reason: Rejection, detail: string): RejectedScenario {
  return { n, seed, ...(relation !== undefined && { relation }), reason, detail };
}

/** The scenario with each change that it can take. */
function relatedTo(
  { n, seed, name, scenario }: Variant,
  relations: readonly Relation[],
  set: number,
): readonly (Variant | RejectedScenario)[] {
  return relations.flatMap((relation): readonly (Variant | RejectedScenario)[] => {
    const made = relate(relation, scenario, seededRandom(set, `${relation}\u0000${n}`));
    if (made === null) return [];
    if (!made.ok) return [{ n, seed, relation, reason: 'invalid', detail: made.problem }];
    const changed = { ...scenario, document: made.document };
    return [{ n, seed, name: `${name} · ${relation}`, relation, original: name, scenario: changed }];
  });
}

/** What everything that is hashed was made of. */
function headOf({ family, seed, params, relations }: WantedSet): JsonObject {
  return { family, seed, params, relations: [...relations] };
}

function hashedOf({ n, seed, relation, scenario }: Variant, oracles: readonly JsonObject[]): JsonObject {
  const { document } = scenario;
  return { n, seed, relation: relation ?? null, document, oracles: [...oracles] };
}

/** What passk has worked out beside the document: of a session the state that its gold calls make. */
function oracleOf({ expected }: Scenario): JsonObject {
  return { state: expected.state?.gold ?? null };
}
