import { PasskError } from '../errors.ts';
import type { GeneratedSetHash } from '../types/generated/generated-set.ts';
import type { Candidate, EvalBody, ModelPin } from '../types/release/eval-body.ts';
import type { MergedRecord } from '../types/release/other-records.ts';
import type { Tier } from '../types/release/release-rules.ts';
import type { TrialLine } from '../types/release/trial-line.ts';
import { assumedSuites } from './assumed-suites.ts';
import type { PlannedEvidence, ReleaseEvidence } from './evidence.ts';
import { refuseHeuristicRecord } from './refusals/refuse-heuristic.ts';
import type { VerifiedRecord } from './verified-record.ts';
import { hashOfSubjects } from './scenario-hash.ts';

/** What other records are added to. */
interface OwnEvidence extends Pick<ReleaseEvidence, 'rateCard' | 'results' | 'partial' | 'scenarios' | 'generated'> {
  readonly candidate: Candidate & { readonly subjects: readonly string[] };
  readonly trials: readonly TrialLine[];
}

export interface MergeOptions {
  /** False: nothing was run, so that prices are those of the records. */
  readonly isRun: boolean;
  readonly governed: boolean;
  readonly tier: Tier;
}

/**
 * The evidence of a run with that of other records, each scenario of one of them. Throws `INTEGRITY` where they are not of the
 * same candidate, and `INPUT` where they do not go together, with the reason.
 */
export function mergeEvidence(
  own: OwnEvidence,
  others: readonly VerifiedRecord[],
  { isRun, governed, tier }: MergeOptions,
): OwnEvidence & { readonly merged: readonly MergedRecord[] } {
  const merging = new Merging(own, isRun ? 'this run' : null);
  for (const other of others) {
    if (governed) requireSuites(other, tier);
    refuseHeuristicRecord(other, tier);
    merging.add(other);
  }
  return { ...merging.evidence(), merged: others.map(mergedRecord) };
}

function mergedRecord({ result: { bodyHash, signature, body } }: VerifiedRecord): MergedRecord {
  const { tier, asOf, engine, scenarios } = body;
  return {
    bodyHash,
    keyId: signature.keyId,
    tier,
    asOf,
    passk: engine.version,
    seed: engine.seed,
    scenarios: scenarios.length,
  };
}

/** What a tier asks of files, it asks of records, too. */
function requireSuites({ name, result }: VerifiedRecord, tier: Tier): void {
  const open = assumedSuites(result.body);
  if (open.length === 0) return;
  throw new PasskError('INPUT', `The tier ${tier} needs each scenario to say which suite it belongs to.`, {
    issues: open.map((scenario) => ({
      severity: 'error',
      code: 'missing_suite',
      message: `"${scenario.name}" of the record ${name} has no suite.`,
      hint: 'Add suite = "validation" to its file, or another suite, and run it again.',
    })),
  });
}

class Merging {
  private subjects: readonly string[];
  private readonly hash: string;
  private readonly pins = new Map<string, ModelPin>();
  /** Whose scenario it is, by hash; whose result, by kind and name. */
  private readonly owners = new Map<string, string>();
  private readonly scenarios: PlannedEvidence[] = [];
  private readonly trials = new Map<string, TrialLine[]>();
  private readonly results: EvalBody['results'][number][] = [];
  private rateCard: EvalBody['rateCard'];
  private isPriced: boolean;
  private partial: boolean;
  /** Sets that scenarios were generated in, by all that is known of them. */
  private readonly sets = new Map<string, GeneratedSetHash>();
  private readonly own: OwnEvidence;

  /** `name`: what holds the first evidence; null: there is none yet. */
  constructor(own: OwnEvidence, name: string | null) {
    this.own = own;
    this.subjects = own.candidate.subjects;
    this.hash = own.candidate.hash;
    this.rateCard = own.rateCard;
    this.isPriced = name !== null || own.rateCard !== null;
    this.partial = own.partial;
    this.take(own, name ?? '');
    this.addSets(own.generated);
    for (const pin of own.candidate.modelPins) this.pins.set(pin.role, pin);
  }

  add({ name, result: { body }, trials }: VerifiedRecord): void {
    this.addSubjects(body.candidate, name);
    for (const pin of body.candidate.modelPins) this.addPin(pin, name);
    this.addPrices(body.rateCard, name);
    this.partial ||= body.partial;
    this.take({ ...body, trials }, name);
    this.addSets(body.generated);
  }

  evidence(): OwnEvidence {
    const { candidate, ...own } = this.own;
    const scenarios = [...this.scenarios].sort((a, b) => (a.hash < b.hash ? -1 : 1));
    return {
      ...own,
      candidate: {
        ...candidate,
        subjects: this.subjects,
        hash: this.subjects.length > 0 ? hashOfSubjects(this.subjects) : this.hash,
        modelPins: [...this.pins.values()].sort((a, b) => (a.role < b.role ? -1 : 1)),
      },
      rateCard: this.rateCard,
      results: this.results,
      partial: this.partial,
      ...(this.sets.size > 0 && { generated: [...this.sets.values()] }),
      scenarios,
      trials: scenarios.flatMap(({ hash }) => this.trials.get(hash) ?? []),
    };
  }

  /** A candidate that is tried in part is the same one; where each side tries what the other does not, it was changed between. */
  private addSubjects({ subjects, hash }: Candidate, name: string): void {
    if (subjects === undefined) {
      if (this.subjects.length === 0 || hash === hashOfSubjects(this.subjects)) return;
      throw otherCandidate(name);
    }
    const [mine, theirs] = [new Set(this.subjects), new Set(subjects)];
    const isPart = subjects.every((one) => mine.has(one)) || this.subjects.every((one) => theirs.has(one));
    if (!isPart) throw otherCandidate(name);
    this.subjects = [...new Set([...this.subjects, ...subjects])].sort();
  }

  private addSets(sets: OwnEvidence['generated'] = []): void {
    for (const set of sets) this.sets.set(`${set.file}\n${set.name}\n${set.hash}`, set);
  }

  private addPin(pin: ModelPin, name: string): void {
    const earlier = this.pins.get(pin.role);
    if (earlier !== undefined && earlier.model !== pin.model) {
      throw new PasskError(
        'INTEGRITY',
        `The record ${name} is of another candidate: ${pin.role} was ${pin.model}, and is ${earlier.model} here.`,
      );
    }
    this.pins.set(pin.role, pin);
  }

  private addPrices(card: EvalBody['rateCard'], name: string): void {
    if (this.isPriced && card?.hash !== this.rateCard?.hash) {
      const [theirs, ours] = [card, this.rateCard].map((one) =>
        one === null ? 'no card' : `the card ${one.id} of ${one.effective}`,
      );
      throw new PasskError('INPUT', `The record ${name} is priced by ${theirs}, and this release by ${ours}.`, {
        hint: 'Sums of two cards are no cost. Give the same --rates.',
      });
    }
    this.rateCard = card;
    this.isPriced = true;
  }

  private take(
    { scenarios, trials, results }: Pick<OwnEvidence, 'scenarios' | 'trials' | 'results'>,
    name: string,
  ): void {
    for (const scenario of scenarios) this.claim(scenario.hash, `The scenario "${scenario.name}"`, name);
    for (const { kind, name: called } of results) this.claim(`${kind}\n${called}`, `The ${kind} "${called}"`, name);
    this.results.push(...results);
    this.scenarios.push(...scenarios.map(planned));
    for (const line of trials) {
      const own = this.trials.get(line.scenario) ?? [];
      own.push(line);
      this.trials.set(line.scenario, own);
    }
  }

  /** Trials of one scenario from two places could be chosen by what they gave. */
  private claim(key: string, what: string, name: string): void {
    const owner = this.owners.get(key);
    if (owner !== undefined) {
      throw new PasskError('INPUT', `${what} stands in ${owner} and in ${name}.`, {
        hint: 'The trials of a scenario come from one place: leave out one of the two.',
      });
    }
    this.owners.set(key, name);
  }
}

/** Without what its trials say, which is counted again. */
function planned(scenario: PlannedEvidence): PlannedEvidence {
  const {
    hash,
    name,
    suite,
    copyOf,
    isSuiteAssumed,
    isHeuristic,
    isRecorded,
    tags,
    origin,
    minPassRate,
    planned: trials,
  } = scenario;
  const marks = { ...(isHeuristic === true && { isHeuristic }), ...(isRecorded === true && { isRecorded }) };
  return { hash, name, suite, copyOf, isSuiteAssumed, ...marks, tags, origin, minPassRate, planned: trials };
}

function otherCandidate(name: string): PasskError {
  return new PasskError(
    'INTEGRITY',
    `The record ${name} is of another candidate: it tried what this release does not, and the other way round.`,
    { hint: 'What was changed since then is another candidate. Run its scenarios again.' },
  );
}
