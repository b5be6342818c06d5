import { plural } from '../../text/format-number.ts';
import { clopperPearsonInterval } from '../../stats/clopper-pearson.ts';
import { firstNames } from '../../text/first-names.ts';
import type { CertificateBody } from '../../types/release/certificate.ts';
import type { GateVerdict } from '../../types/reports/gate.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { scenarioHash } from '../scenario-hash.ts';
import type { FoundSubject } from './certified-subject.ts';

/** Scenarios that a reason names. */
const MOST_NAMED = 5;
const FEW_TRIALS = 'Run more (--trials), or accept fewer (--min-trials), which the certificate states.';

/**
 * A model that may be another one tomorrow could end the certificate without anybody seeing it, so it is refused. So is a
 * scenario that never passed: a file may say that its bar is 0, and nothing was shown then. Of expectations that nothing can
 * fail a pass shows nothing, either.
 */
export function judgeCertificate(
  { gate, partial, scenarios, notices }: SuiteReport,
  { subject, scenarios: loaded, constant }: FoundSubject,
  minTrials: number,
): { readonly verdict: GateVerdict; readonly reasons: readonly string[] } {
  const parts = new Set(loaded.filter(({ part }) => part !== undefined).map(({ name }) => name));
  const never = scenarios.filter(({ name, trials }) => trials.passed === 0 && trials.failed > 0 && !parts.has(name));
  if (never.length > 0) {
    const names = never.map(({ name }) => `"${name}"`).join(', ');
    return { verdict: 'fail', reasons: [...gate.reasons, `No trial passed of ${names}, which shows nothing.`] };
  }
  const floating = subject.modelPins
    .filter(({ isFloating }) => isFloating)
    .map(({ role, model }) => `${role} (${model})`);
  if (floating.length > 0) {
    const unpinned = `The name of a model may mean another model tomorrow: ${floating.join(', ')}.`;
    return { verdict: 'fail', reasons: [...gate.reasons, unpinned] };
  }
  if (partial)
    return { verdict: 'insufficient', reasons: [...gate.reasons, 'The run ended before all of its trials.'] };
  const idle = notices.filter(({ code }) => code === 'asserts_nothing');
  if (gate.verdict === 'pass' && idle.length > 0) {
    const found = idle.map(({ message, at }) => (at === undefined ? message : `${at.file}: ${message}`));
    return { verdict: 'insufficient', reasons: [...gate.reasons, ...found] };
  }
  const few = scenarios.filter(
    ({ name, sampler, trials }) =>
      sampler !== 'exhaustive' && !parts.has(name) && !constant.has(name) && trials.passed + trials.failed < minTrials,
  );
  if (gate.verdict === 'pass' && few.length > 0) {
    const texts = few.map(({ name, trials }) => `"${name}" (${trials.passed + trials.failed})`);
    const reason = `Each scenario needs ${plural(minTrials, 'trial')} that passed or failed: ${firstNames(texts, MOST_NAMED)}.`;
    return { verdict: 'insufficient', reasons: [...gate.reasons, reason, FEW_TRIALS] };
  }
  return { verdict: gate.verdict, reasons: gate.reasons };
}

/** What a certificate says of each scenario, with what its trials show. */
export function certifiedScenarios(
  { scenarios, gate }: SuiteReport,
  { scenarios: loaded, constant }: FoundSubject,
): CertificateBody['scenarios'] {
  const byName = new Map(loaded.map((scenario) => [scenario.name, scenario]));
  return scenarios.flatMap(({ name, trials }) => {
    const scenario = byName.get(name);
    if (scenario === undefined) return [];
    const { passed, failed, broken } = trials;
    const bar = scenario.minPassRate === null ? null : Math.max(scenario.minPassRate, gate.minPassRate ?? 0);
    return [
      {
        name,
        hash: scenarioHash(scenario, null),
        bar,
        trials: passed + failed + broken,
        passed,
        failed,
        errors: broken,
        passRateAtLeast: constant.has(name) ? null : atLeast(passed, failed),
      },
    ];
  });
}

/** One-sided, at 95 %: an end of the two-sided interval at 90 %. */
function atLeast(passed: number, failed: number): number | null {
  return clopperPearsonInterval(passed + failed, passed, 0.9)?.[0] ?? null;
}
