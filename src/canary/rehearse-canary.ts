import path from 'node:path';
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PasskError } from '../errors.ts';
import { deriveWords } from '../random/draw.ts';
import { xoshiro128FromState } from '../random/xoshiro128.ts';
import { clopperPearsonInterval } from '../stats/clopper-pearson.ts';
import { meanInterval } from '../stats/mean-interval.ts';
import type { CanaryPlan } from '../types/canary/canary-plan.ts';
import {
  type AssumedCandidate,
  type CanaryRehearsal,
  REHEARSAL_SCHEMA,
  type RehearsedCandidate,
  type RehearsedNumber,
  type RehearsedShare,
  type RehearsedStage,
} from '../types/canary/canary-rehearsal.ts';
import { VERSION } from '../version.ts';
import { assumedCandidates, isBadCandidate, wholeCandidate } from './assumed-candidates.ts';
import type { RehearseCanaryOptions } from './canary-options.ts';
import { type PlayedRollout, playRollout, type Traffic } from './play-rollout.ts';
import { readCanary } from './read-canary.ts';
import { refusedRollout } from './admit-rollout.ts';

const MOST_ROLLOUTS = 100_000;
/** Rollouts between two turns of the event loop. */
const TURN = 20;

/**
 * Plays rollouts of a configuration with candidates that are assumed: how often each is released, how long it takes to take one
 * back, and how many requests users saw it answer until then. Nothing is counted and nothing written. Rejects with `INPUT` where
 * the configuration cannot be used, and `USAGE` for numbers that cannot be and for a rollout that leaves out a stage of its tier.
 */
export async function rehearseCanary(options: RehearseCanaryOptions): Promise<CanaryRehearsal> {
  const { rollouts = 1000, seed = 0, requestsPerHour = 1000, stepHours = 0, signal } = options;
  const read = readCanary(options.config, path.resolve(options.cwd ?? process.cwd()));
  const { plan, configuration } = read;
  const refused = refusedRollout(read);
  if (refused !== null) throw new PasskError('USAGE', refused.reasons[0]?.message ?? 'A stage is missing.');
  const candidates = options.candidates?.map((one) => wholeCandidate(plan, one)) ?? assumedCandidates(plan);
  refuseNumbers({ ...options, candidates });
  const baselinePassRate = options.baselinePassRate ?? Math.max(...candidates.map(({ passRate }) => passRate));
  const traffic: Traffic = { requestsPerHour, stepHours, baselinePassRate };
  const rehearsed: RehearsedCandidate[] = [];
  for (const candidate of candidates) {
    const played: PlayedRollout[] = [];
    for (let number = 0; number < rollouts; number++) {
      if (number % TURN === 0) {
        await nextTurn();
        signal?.throwIfAborted();
      }
      // Each rollout has its own draws, whatever others are played.
      const [a, b, c, d] = deriveWords(seed, `canary/${candidate.name}/${number}`);
      const random = xoshiro128FromState([a, b, c, d | 1]);
      played.push(playRollout(plan, { candidate, traffic, random }));
    }
    rehearsed.push(summed(plan, candidate, played));
  }
  return {
    schema: REHEARSAL_SCHEMA,
    passk: VERSION,
    configuration,
    candidate: plan.candidate,
    tier: plan.tier,
    seed,
    rollouts,
    requestsPerHour,
    stepHours,
    baselinePassRate,
    candidates: rehearsed,
  };
}

function summed(plan: CanaryPlan, assumed: AssumedCandidate, played: readonly PlayedRollout[]): RehearsedCandidate {
  const released = played.filter(({ code }) => code === null);
  const rolledBack = played.filter(({ code }) => code !== null);
  const shareOf = (count: number): RehearsedShare => ({
    rollouts: count,
    share: count / played.length,
    interval: clopperPearsonInterval(played.length, count) ?? [0, 1],
  });
  return {
    assumed,
    isBad: isBadCandidate(plan, assumed),
    released: shareOf(released.length),
    rolledBack: shareOf(rolledBack.length),
    hoursToRollback: numberOf(rolledBack.map(({ hours }) => hours)),
    hoursToRelease: numberOf(released.map(({ hours }) => hours)),
    exposed: numberOf(played.map(({ exposed }) => exposed)) ?? NOTHING,
    failed: numberOf(played.map(({ failed }) => failed)) ?? NOTHING,
    stages: plan.stages.map(({ percent }, place) => stageOf(percent, place, played)),
    moments: momentsOf(played),
    exposure: exposureOf(played),
  };
}

const NOTHING: RehearsedNumber = { mean: 0, interval: null, median: 0, p95: 0 };

function stageOf(percent: number, place: number, played: readonly PlayedRollout[]): RehearsedStage {
  const reached = played.filter((one) => one.place >= place);
  const ended = reached.filter((one) => one.place === place && one.code !== null);
  const reasons: RehearsedStage['reasons'] = {};
  for (const { code } of ended) if (code !== null) Object.assign(reasons, { [code]: (reasons[code] ?? 0) + 1 });
  return {
    percent,
    reached: reached.length,
    promoted: reached.length - ended.length,
    rolledBack: ended.length,
    reasons,
  };
}

function numberOf(values: readonly number[]): RehearsedNumber | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  const mean = meanInterval(values);
  // Equal values have no spread to tell others by, however few they are.
  const isEven = sorted[0] === sorted.at(-1);
  return {
    mean: isEven ? (sorted[0] ?? 0) : (mean?.mean ?? 0),
    interval: isEven ? null : (mean?.interval ?? null),
    median: at(0.5),
    p95: at(0.95),
  };
}

const MOMENTS = 60;

/** At even distances up to the last end. */
function momentsOf(played: readonly PlayedRollout[]): RehearsedCandidate['moments'] {
  const last = played.reduce((most, { hours }) => Math.max(most, hours), 0);
  return Array.from({ length: MOMENTS + 1 }, (_, i) => {
    const hours = (last * i) / MOMENTS;
    // The last end is at the last moment, whatever a division rounds to.
    const ended = played.filter((one) => i === MOMENTS || one.hours <= hours);
    const released = ended.filter(({ code }) => code === null).length;
    return { hours, released: released / played.length, rolledBack: (ended.length - released) / played.length };
  });
}

const EXPOSURES = 40;

/** At even shares of the rollouts; answers and failures each in their own order. */
function exposureOf(played: readonly PlayedRollout[]): RehearsedCandidate['exposure'] {
  const sorted = (of: (one: PlayedRollout) => number): readonly number[] => played.map(of).sort((a, b) => a - b);
  const [answers, failed] = [sorted(({ exposed }) => exposed), sorted((one) => one.failed)];
  return Array.from({ length: EXPOSURES + 1 }, (_, i) => {
    const share = i / EXPOSURES;
    const at = Math.max(0, Math.ceil(share * played.length) - 1);
    return { share, answers: answers[at] ?? 0, failed: failed[at] ?? 0 };
  });
}

function refuseNumbers({
  rollouts = 1,
  requestsPerHour = 1,
  stepHours = 0,
  baselinePassRate = 0,
  candidates = [],
}: Partial<Omit<RehearseCanaryOptions, 'candidates'>> & { readonly candidates?: readonly AssumedCandidate[] }): void {
  const refuse = (name: string, value: number, isGood: boolean, what: string): void => {
    if (!isGood) throw new PasskError('USAGE', `\`${name}\` must be ${what}, got ${value}.`);
  };
  const isRollouts = Number.isInteger(rollouts) && rollouts >= 1 && rollouts <= MOST_ROLLOUTS;
  refuse('rollouts', rollouts, isRollouts, `a whole number from 1 to ${MOST_ROLLOUTS}`);
  refuse('requestsPerHour', requestsPerHour, requestsPerHour > 0 && requestsPerHour <= 1e9, 'above 0, and at most 1e9');
  refuse('stepHours', stepHours, stepHours >= 0 && stepHours <= 1e4, 'a number from 0 to 10000');
  refuse('baselinePassRate', baselinePassRate, isShare(baselinePassRate), 'a number from 0 to 1');
  if (candidates.length === 0) throw new PasskError('USAGE', 'There is no candidate to rehearse.');
  for (const { name, costUsd, ...shares } of candidates) {
    refuse(`${name}: cost`, costUsd, costUsd >= 0 && costUsd <= 1e6, 'a number from 0 to 1e6');
    for (const [key, share] of Object.entries(shares))
      refuse(`${name}: ${key}`, share, isShare(share), 'a number from 0 to 1');
    // Then no outcome has a verdict, and a stage without hours of its own ends only after the most of them.
    refuse(`${name}: errors`, shares.errors, shares.errors < 1, 'below 1');
  }
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}
