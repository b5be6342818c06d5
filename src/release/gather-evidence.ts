import type { GeneratedSetHash } from '../types/generated/generated-set.ts';
import type { ShardSource } from '../records/read-shard.ts';
import { recordedTasks } from '../suite/audit-set/audit-set.ts';
import type { SuiteInput } from '../suite/load-suite.ts';
import { mergeWithRows } from '../suite/merge-shards.ts';
import { type LoadedRun, loadRun, runWithRows, type FinishedRun } from '../suite/run-suite.ts';
import type { RunSuiteOptions } from '../settings/options.ts';
import type { Candidate, EvalBody, EvalPart } from '../types/release/eval-body.ts';
import type { RecordEnvelope } from '../types/release/eval-result.ts';
import type { Tier, TierRules } from '../types/release/release-rules.ts';
import type { RunPlan } from '../types/plan.ts';
import type { Scenario } from '../types/scenario.ts';
import type { TrialLine } from '../types/release/trial-line.ts';
import { isRecording } from '../types/subjects.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import { VERSION } from '../version.ts';
import { auditMaterial, mergeAudits } from './audit-material.ts';
import { collectEvidence, planEvidence } from './collect-evidence.ts';
import type { ReleaseEvidence } from './evidence.ts';
import { isPartlyRead, refuseCopies, refuseDoubled } from './refusals/refuse-doubled.ts';
import { refuseHeuristic } from './refusals/refuse-heuristic.ts';
import { refuseJudged } from './refusals/refuse-judged.ts';
import { mergeEvidence } from './merge-evidence.ts';
import { modelPins } from './model-pins.ts';
import type { VerifiedRecord } from './verified-record.ts';
import type { RateCard } from './rate-card.ts';
import { withRoleRates } from './role-rates.ts';
import { triedDigests, subjectHash, subjectHashes } from './scenario-hash.ts';

/** What a release rests on, and what was noted of how it came about. */
export interface GatheredEvidence
  extends Pick<
    ReleaseEvidence,
    'candidate' | 'engine' | 'rateCard' | 'results' | 'audit' | 'partial' | 'scenarios' | 'merged'
  > {
  readonly trials: readonly TrialLine[];
  readonly timing: Pick<RecordEnvelope, 'workers' | 'durationMs'>;
  /** Of the run; null: nothing was run. */
  readonly report: SuiteReport | null;
}

export interface GatherOptions {
  readonly others: readonly VerifiedRecord[];
  /** The trials of what is to be run, in place of running it; absent: it is run. */
  readonly shards?: readonly ShardSource[];
  readonly rateCard: RateCard | null;
  /** The model that plays each role, where passk does not ask it itself. */
  readonly pins: Readonly<Record<string, string>>;
  readonly rules: Pick<TierRules, 'trials' | 'governed'>;
  readonly tier: Tier;
  readonly candidate: Pick<Candidate, 'name' | 'version'>;
  /** Called before the first trial is run here, with the identity of what is tried; where it rejects, nothing is run. */
  readonly onBegin: (hash: string) => Promise<void>;
}

/** Audits and runs what is to be run, or takes its trials from shards, and adds what other records hold. Nothing is run where there are only these. */
export async function gatherEvidence(options: RunSuiteOptions, gather: GatherOptions): Promise<GatheredEvidence> {
  const { others, shards, rateCard, pins, rules, tier, candidate, onBegin } = gather;
  const sources = [options.paths, options.recordings, options.scenarios];
  const isRun =
    others.length === 0 || shards !== undefined || sources.some((list) => list !== undefined && list.length > 0);
  const loaded = isRun ? await loadRun(options) : null;
  if (loaded !== null) {
    refuseCopies(loaded.input.suite.issues);
    refuseJudged(loaded.input.suite.scenarios);
    refuseHeuristic(loaded.input.suite.scenarios, tier);
  }
  const audits = loaded === null ? [] : [await auditMaterial(loaded.input, options)];
  const samples = { atLeast: rules.trials };
  const begin = async (plan: RunPlan, suite: LoadedRun): Promise<void> =>
    onBegin(await refuseAhead(plan, suite, { ...gather, isRun }));
  const run =
    loaded === null
      ? null
      : shards === undefined
        ? await runWithRows(loaded, samples, { onBegin: (plan) => begin(plan, loaded) })
        : await mergeWithRows(loaded, { shards, samples });
  const tried = await candidateOf(run?.plan ?? NO_PLAN, loaded?.input.root ?? '', { candidate, pins });
  const card = rateCard === null ? null : withRoleRates(rateCard, tried.modelPins);
  const collected =
    run === null
      ? { scenarios: [], trials: [] }
      : collectEvidence(run, { rateCard: card, governed: rules.governed, tier });
  const own = {
    candidate: tried,
    engine: { name: 'passk', version: VERSION, seed: run?.report.seed ?? 0, errors: 'block' } as const,
    rateCard: cardOf(rateCard),
    results: run === null ? [] : resultsOf(run),
    audit: mergeAudits([...audits, ...others.map(({ result }) => result.body.audit)]),
    partial: (run?.report.partial ?? false) || isPartlyRead(loaded?.input.suite.issues ?? []),
    timing: timingOf(run),
    report: run?.report ?? null,
    ...(run?.report.generated !== undefined && { generated: run.report.generated.map(setHash) }),
    ...collected,
  };
  const gathered =
    others.length === 0 ? own : { ...own, ...mergeEvidence(own, others, { isRun, governed: rules.governed, tier }) };
  refuseDoubled(gathered.scenarios, loaded?.input.suite.scenarios ?? []);
  return gathered;
}

/**
 * What a plan comes to with other records, before its trials are run: whoever saw them go badly could end the try by evidence
 * that is refused. Throws what `gatherEvidence` would throw after them, and resolves to the identity of what is tried.
 */
async function refuseAhead(
  plan: RunPlan,
  { input }: LoadedRun,
  { others, rateCard, pins, rules: { governed }, tier, candidate, isRun }: GatherOptions & { readonly isRun: boolean },
): Promise<string> {
  const tasks = await Promise.all(plan.scenarios.map(({ scenario }) => tasksOf(scenario, input)));
  const planned = planEvidence(plan, { governed, tier, tasksAt: (at) => tasks[at] ?? new Map() });
  const scenarios = planned.map(({ evidence }) => evidence);
  const tried = await candidateOf(plan, input.root, { candidate, pins });
  const results = partsOf(plan);
  const own = { candidate: tried, rateCard: cardOf(rateCard), results, partial: false, scenarios, trials: [] };
  const all = others.length === 0 ? own : mergeEvidence(own, others, { isRun, governed, tier });
  refuseDoubled(all.scenarios, input.suite.scenarios);
  return tried.hash;
}

/** Each task of recorded runs; of anything else none. */
async function tasksOf(scenario: Scenario, input: SuiteInput): Promise<ReadonlyMap<string | null, number>> {
  if (!isRecording(scenario)) return new Map();
  return new Map((await recordedTasks(scenario, input, [])).map(({ task }) => [task.name, 0]));
}

/** What is judged by itself, without a verdict as yet. */
function partsOf({ scenarios }: RunPlan): EvalBody['results'] {
  const parts = scenarios.flatMap(({ scenario: { part, name }, sampler }) => {
    if (part !== undefined) return [{ kind: part.kind, name: part.of }];
    return sampler === 'exhaustive' ? [{ kind: 'enumeration', name }] : [];
  });
  const named = new Map(parts.map((part) => [`${part.kind}\n${part.name}`, part]));
  return [...named.values()].map((part) => ({ ...part, verdict: 'insufficient' }));
}

async function candidateOf(
  plan: RunPlan,
  root: string,
  { candidate, pins }: Pick<GatherOptions, 'candidate' | 'pins'>,
): Promise<Candidate & { readonly subjects: readonly string[] }> {
  const scenarios = plan.scenarios.map(({ scenario }) => scenario);
  const files = await triedDigests(scenarios, root);
  return {
    ...candidate,
    hash: subjectHash(scenarios, files),
    subjects: subjectHashes(scenarios, files),
    modelPins: modelPins(plan, pins),
  };
}

function cardOf(card: RateCard | null): EvalBody['rateCard'] {
  return card === null ? null : { id: card.id, effective: card.effective, hash: card.hash };
}

const NO_PLAN = { scenarios: [], plugins: [], hostFunctions: [] } as const;

function setHash({ name, file, hash }: GeneratedSetHash): GeneratedSetHash {
  return { name, file, hash };
}

function timingOf(run: FinishedRun | null): GatheredEvidence['timing'] {
  const { workers = 0, durationMs = 0 } = run?.report.timing ?? {};
  return { workers, durationMs };
}

/** What is judged by itself: other suites, and scenarios whose answers are enumerated. */
function resultsOf({ report: { results, scenarios }, plan }: FinishedRun): EvalBody['results'] {
  const planned = plan.scenarios.map(({ scenario }) => scenario);
  // All parts of a file have what the file says.
  const originOf = (kind: string, name: string): Scenario['origin'] =>
    planned.find(({ part }) => part?.kind === kind && part.of === name)?.origin;
  const enumerated = scenarios.filter(({ sampler }) => sampler === 'exhaustive');
  return [
    ...results.map(({ kind, name, verdict }) => ({ kind, name, verdict, ...provenance(originOf(kind, name)) })),
    ...enumerated.map(({ name, verdict }) => {
      const scenario = planned.find((one) => one.part === undefined && one.name === name);
      return { kind: 'enumeration', name, verdict, ...provenance(scenario?.origin) };
    }),
  ];
}

function provenance(stated: Scenario['origin']): Pick<EvalPart, 'suite' | 'origin'> {
  const { suite, ...origin } = stated ?? {};
  return suite === undefined ? {} : { suite, origin };
}
