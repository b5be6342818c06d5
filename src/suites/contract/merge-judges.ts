import { judgePosition } from '../../gate/judge-position.ts';
import type {
  ClaimsReport,
  JudgeAgreement,
  JudgeNoise,
  JudgePosition,
  JudgeReport,
} from '../../types/judges/judge-report.ts';

/** What judges made of the trials of several parts, each once: counts are added, and one part in which a judge may not decide is enough. */
export function mergeJudges(parts: readonly (readonly JudgeReport[])[]): readonly JudgeReport[] {
  const byName = new Map<string, JudgeReport>();
  for (const report of parts.flat()) {
    const before = byName.get(report.judge);
    // Parts pass by all of their invariants together: what is corrected of that says nothing of the judge's own.
    byName.set(report.judge, before === undefined ? { ...report, corrected: null } : merged(before, report));
  }
  return [...byName.values()];
}

function merged(one: JudgeReport, other: JudgeReport): JudgeReport {
  const [met, unmet, errors] = [one.met + other.met, one.unmet + other.unmet, one.errors + other.errors];
  const asked = met + unmet + errors;
  return {
    ...one,
    ...(one.verdict === 'calibrated' && { verdict: other.verdict }),
    why: [...new Set([...one.why, ...other.why])],
    met,
    unmet,
    errors,
    errorRate: asked === 0 ? null : errors / asked,
    noise: mergedNoise(one.noise, other.noise),
    position: mergedPosition(one.position, other.position),
    ...(one.claims !== undefined && { claims: mergedClaims(one.claims, other.claims ?? one.claims) }),
    agreement: one.agreement.map((agreed, at) => lowest(agreed, other.agreement[at] ?? agreed)),
    decided: one.decided + other.decided,
    passed: one.passed + other.passed,
    corrected: null,
  };
}

function mergedNoise(one: JudgeNoise | null, other: JudgeNoise | null): JudgeNoise | null {
  if (one === null || other === null) return one ?? other;
  const [answers, flips] = [one.answers + other.answers, one.flips + other.flips];
  return { answers, flips, rate: flips / answers };
}

function mergedPosition(one: JudgePosition | null, other: JudgePosition | null): JudgePosition | null {
  if (one === null || other === null) return one ?? other;
  return judgePosition({
    rounds: one.rounds + other.rounds,
    consistent: one.consistent + other.consistent,
    decisive: one.decisive + other.decisive,
    first: one.first + other.first,
  });
}

/** Means of parts weigh as much as there are claims behind them. */
function mergedClaims(one: ClaimsReport, other: ClaimsReport): ClaimsReport {
  const [verified, supported] = [one.verified + other.verified, one.supported + other.supported];
  const scored = [one, other].filter(({ pairScore }) => pairScore !== null);
  const claims = scored.reduce((sum, part) => sum + part.verified, 0);
  const scores = scored.reduce((sum, part) => sum + (part.pairScore ?? 0) * part.verified, 0);
  return {
    verified,
    supported,
    score: verified === 0 ? null : supported / verified,
    pairScore: claims === 0 ? null : scores / claims,
  };
}

/** Kappas of parts are no kappa of the whole: the lowest is told, with the trials of all. */
function lowest(one: JudgeAgreement, other: JudgeAgreement): JudgeAgreement {
  const isLower = other.kappa !== null && (one.kappa === null || other.kappa < one.kappa);
  return { ...(isLower ? other : one), trials: one.trials + other.trials };
}
