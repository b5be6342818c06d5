import { judgedRate } from '../../gate/judged-rate.ts';
import { cohenKappa } from '../../stats/judged/cohen-kappa.ts';
import { percent } from '../../text/percent.ts';
import type { JudgeCounts } from '../../trial/tally/judge-counts.ts';
import type { PlannedJudge } from '../../types/judges/judge.ts';
import { placeDecides } from '../../judges/place-decides.ts';
import { judgePosition } from '../../gate/judge-position.ts';
import type {
  ClaimsReport,
  JudgeAgreement,
  JudgeNoise,
  JudgePosition,
  JudgeReport,
  JudgeStanding,
} from '../../types/judges/judge-report.ts';

/** Whether each judge may decide, by name. */
export type JudgeStandings = ReadonlyMap<string, JudgeStanding>;

/** Shares of answers that may differ from those of the same model, and kappas of two models: below, a judge is advisory. */
const MOST_FLIPS = 0.02;
const LEAST_AGREEMENT = 0.5;
/** Fewer repeats show too little of noise. */
const REPEATS_FOR_NOISE = 3;

const UNCALIBRATED: JudgeStanding = {
  verdict: 'uncalibrated',
  why: ['Nobody has measured it: passk judge calibrate does.'],
  accuracy: null,
  probes: [],
};

interface JudgedTally {
  readonly scenario: string;
  /** Trials that rates are about. */
  readonly ran: number;
  readonly passed: number;
  readonly counts: JudgeCounts;
}

/** What judges made of the trials of a scenario, in the order of its expectation. */
export function foldJudges(
  judges: readonly PlannedJudge[],
  trials: JudgedTally,
  standings: JudgeStandings,
): readonly JudgeReport[] {
  return judges.map((judge, at) => foldJudge(judge, at, trials, standings.get(judge.name) ?? UNCALIBRATED));
}

function foldJudge(
  { name, models, repeats, claims }: PlannedJudge,
  at: number,
  { scenario, counts, passed, ran }: JudgedTally,
  measured: JudgeStanding,
): JudgeReport {
  const [met, unmet, errors] = [counts.of(at, 'met'), counts.of(at, 'unmet'), counts.of(at, 'errors')];
  const asked = met + unmet + errors;
  const calibrated = forScenario(measured, scenario);
  const noise = noiseOf(counts, at);
  const names = models.map((model) => model.name);
  const agreement = agreementOf(names, counts, at);
  const position = positionOf(counts, at);
  const standing = withBars(calibrated, { noise, repeats, agreement, position });
  const decided = passed + counts.of(at, 'alone');
  const { accuracy } = standing;
  return {
    judge: name,
    models: names,
    repeats,
    ...standing,
    met,
    unmet,
    errors,
    errorRate: asked === 0 ? null : errors / asked,
    noise,
    position,
    ...(claims !== undefined && { claims: claimsOf(counts, at) }),
    agreement,
    decided,
    passed,
    corrected:
      standing.verdict !== 'calibrated' || accuracy === null
        ? null
        : judgedRate({ trials: ran, decided, passed }, accuracy),
  };
}

/** Labels of the trials of another scenario say nothing of the share that people pass here. */
function forScenario(standing: JudgeStanding, scenario: string): JudgeStanding {
  if (standing.accuracy?.sample === undefined || standing.accuracy.sample.scenario === scenario) return standing;
  const { sample: _, ...accuracy } = standing.accuracy;
  return { ...standing, accuracy };
}

function noiseOf(counts: JudgeCounts, at: number): JudgeNoise | null {
  const [answers, flips] = [counts.of(at, 'answers'), counts.of(at, 'flips')];
  return answers === 0 ? null : { answers, flips, rate: flips / answers };
}

function positionOf(counts: JudgeCounts, at: number): JudgePosition | null {
  const [rounds, consistent] = [counts.of(at, 'rounds'), counts.of(at, 'consistent')];
  const [decisive, first] = [counts.of(at, 'decisive'), counts.of(at, 'first')];
  return rounds === 0 ? null : judgePosition({ rounds, consistent, decisive, first });
}

function claimsOf(counts: JudgeCounts, at: number): ClaimsReport {
  const [verified, supported] = [counts.of(at, 'claims'), counts.of(at, 'supported')];
  const [scored, millionths] = [counts.of(at, 'scored'), counts.of(at, 'millionths')];
  return {
    verified,
    supported,
    score: verified === 0 ? null : supported / verified,
    pairScore: scored === 0 ? null : millionths / scored / 1e6,
  };
}

function agreementOf(names: readonly string[], counts: JudgeCounts, at: number): readonly JudgeAgreement[] {
  return names.flatMap((first, one) =>
    names.slice(one + 1).map((second, beyond): JudgeAgreement => {
      const [both, onlyFirst, onlySecond, neither] = counts.pairOf(at, one, one + 1 + beyond);
      const found = cohenKappa([
        [both, onlyFirst],
        [onlySecond, neither],
      ]);
      return {
        models: [first, second],
        trials: both + onlyFirst + onlySecond + neither,
        kappa: found?.kappa ?? null,
        interval: found?.interval ?? null,
      };
    }),
  );
}

/** What a run shows of a judge may make it advisory, whatever labels say. */
function withBars(
  standing: JudgeStanding,
  { noise, repeats, agreement, position }: Pick<JudgeReport, 'noise' | 'repeats' | 'agreement' | 'position'>,
): JudgeStanding {
  const why: string[] = [];
  if (position !== null) why.push(...placeDecides(position));
  if (noise !== null && repeats >= REPEATS_FOR_NOISE && noise.rate > MOST_FLIPS) {
    why.push(`${percent(noise.rate)} of its answers to the same question differ; the bar is ${MOST_FLIPS * 100} %.`);
  }
  const unlike = agreement.find(({ kappa }) => kappa !== null && kappa < LEAST_AGREEMENT);
  if (unlike !== undefined) {
    why.push(
      `${unlike.models.join(' and ')} agree with a kappa of ${unlike.kappa?.toFixed(2)}; the bar is ${LEAST_AGREEMENT}.`,
    );
  }
  if (why.length === 0) return standing;
  const verdict = standing.verdict === 'calibrated' ? 'advisory' : standing.verdict;
  return { ...standing, verdict, why: [...standing.why, ...why] };
}
