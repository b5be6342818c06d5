import { formatCount, plural } from '../text/format-number.ts';
import type { ExactReport } from '../types/reports/exact.ts';
import type { JudgeReport } from '../types/judges/judge-report.ts';
import type { GateReport } from '../types/reports/report.ts';
import type { EnumeratedScenario, SampledScenario, ScenarioReport } from '../types/reports/scenario-report.ts';
import type { StopEarlyReport } from '../types/stop-early.ts';
import { meetsBar, meetsExactBar } from './meets-bar.ts';
import { judgedRate } from './judged-rate.ts';
import { decidingJudge, judgesOf } from './read-judged.ts';
import { noExact, trialTotals } from './read-scenario.ts';
import { barTexts } from '../text/format-rate.ts';

/** A verdict on bars, before gate expressions are asked. */
export type BarsReport = Omit<GateReport, 'expressions'>;

export interface MinPassRateOptions {
  /** The suite's floor in [0, 1]; null: only the scenarios' own bars count. */
  readonly minPassRate: number | null;
}

type Judgement =
  | { readonly kind: 'clears' }
  | { readonly kind: 'not_run' }
  | { readonly kind: 'fails' | 'open'; readonly reason: string };

/**
 * Judges every scenario by the higher of its own bar and the floor. A failure that no broken or missing trial could
 * undo fails the gate; else one that they could make or undo leaves it `insufficient`.
 */
export function minPassRateGate(scenarios: readonly ScenarioReport[], options: MinPassRateOptions): BarsReport {
  const judgements = scenarios.map((scenario) => judge(scenario, options));
  const reasons = judgements.flatMap((judgement) => ('reason' in judgement ? [judgement.reason] : []));
  const idle = judgements.filter((judgement) => judgement.kind === 'not_run').length;
  if (scenarios.length === 0) reasons.push('There is no scenario to judge.');
  if (idle > 0) reasons.push(idle === 1 ? '1 scenario did not run.' : `${idle} scenarios did not run.`);
  const fails = judgements.some((judgement) => judgement.kind === 'fails');
  const clears = scenarios.length > 0 && judgements.every((judgement) => judgement.kind === 'clears');
  return {
    verdict: fails ? 'fail' : clears ? 'pass' : 'insufficient',
    minPassRate: options.minPassRate,
    reasons,
    violations: scenarios.flatMap((scenario) => violation(scenario, options.minPassRate)),
  };
}

/**
 * Whether a scenario is neither passed nor failed: trials that did not run could decide its bar, or a sequential test has
 * not. Broken trials alone leave nothing open here: a scenario that they keep from its bar is called broken.
 */
export function isUndecided(scenario: SampledScenario, options: MinPassRateOptions): boolean {
  const isCut = trialTotals(scenario).missing > 0 || scenario.stopEarly?.test !== undefined;
  return isCut && judge(scenario, options).kind === 'open';
}

function judge(scenario: ScenarioReport, { minPassRate: floor }: MinPassRateOptions): Judgement {
  const { name } = scenario;
  if (scenario.verdict === 'load_error') {
    const problems = scenario.loadErrors.length;
    return { kind: 'fails', reason: `${name}: did not load (${problems} problem${problems === 1 ? '' : 's'}).` };
  }
  if (scenario.verdict === 'not_run') return { kind: 'not_run' };
  if (scenario.sampler === 'exhaustive') return judgeExact(scenario, floor);
  const { minPassRate, trials, stopEarly } = scenario;
  if (stopEarly?.test !== undefined) return judgeTested(name, stopEarly);
  const { broken, missing, all, unknown } = trialTotals(scenario);
  if (all === 0) return noResult(name, unknownTrials(trials.broken, missing));
  const doubted = (scenario.judges ?? []).reduce((sum, one) => sum + one.decided - one.passed, 0);
  const best = trials.passed + unknown + Math.min(trials.failed, doubted);
  const clears = (passed: number): boolean =>
    meetsBar(passed, all, minPassRate) && (floor === null || meetsBar(passed, all, floor));
  const judges = judgesOf(scenario);
  if (judges === null && clears(trials.passed)) {
    const hasResult = trials.passed + trials.failed > 0;
    return hasResult ? { kind: 'clears' } : noResult(name, unknownTrials(trials.broken, missing));
  }
  const bar = minPassRate === null ? floor : Math.max(minPassRate, floor ?? 0);
  if (!clears(best))
    return {
      kind: 'fails',
      reason: failure(scenario, floor, meetsBar(best, all, bar) ? null : bar) + stopText(scenario),
    };
  if (judges !== null) {
    return judgeByPeople(name, judges, { bar, trials: all, unknown });
  }
  const [barText = '', low = '', high = ''] = barTexts(bar ?? 1, trials.passed / all, best / all);
  const rule = minPassRate === null ? 'every trial must pass' : `its bar is ${barText}`;
  return {
    kind: 'open',
    reason: `${name}: ${unknownTrials(broken, missing)}, so its pass rate is between ${low} and ${high}; ${rule}.`,
  };
}

/** Held against the rate that people would have found. `unknown`: trials that may have passed or not. */
function judgeByPeople(
  name: string,
  judges: readonly JudgeReport[],
  { bar, trials, unknown }: { readonly bar: number | null; readonly trials: number; readonly unknown: number },
): Judgement {
  const deciding = decidingJudge(judges);
  if (deciding.judge === null) return { kind: 'open', reason: `${name}: ${deciding.why}.` };
  if (bar === null) {
    const why = 'it declares no min_pass_rate, and of no single trial is it certain that a judge is right';
    return { kind: 'open', reason: `${name}: ${why}.` };
  }
  const { judge, accuracy } = deciding;
  const rateWith = (more: number): number | null =>
    judgedRate({ trials, decided: judge.decided + more, passed: judge.passed + more }, accuracy)?.rate ?? null;
  const low = rateWith(0);
  const high = rateWith(unknown);
  if (low === null || high === null) return { kind: 'open', reason: `${name}: its judge says nothing of its trials.` };
  if (low >= bar) return { kind: 'clears' };
  const [barText = '', lowText = '', highText = ''] = barTexts(bar, low, high);
  const corrected = `pass rate ${lowText}, corrected for what judge "${judge.judge}" gets wrong,`;
  if (high < bar) return { kind: 'fails', reason: `${name}: ${corrected} is below its bar ${barText}.` };
  return { kind: 'open', reason: `${name}: ${corrected} may be ${highText}; its bar is ${barText}.` };
}

/** Judged on the exact pass rate: the only doubt left is what breaks the harness. */
function judgeExact(scenario: EnumeratedScenario, floor: number | null): Judgement {
  const { name, minPassRate, exact } = scenario;
  if (exact === null) return { kind: 'open', reason: `${name}: ${noExact(scenario)}.` };
  const clears = (one: ExactReport): boolean =>
    meetsExactBar(one, minPassRate) && (floor === null || meetsExactBar(one, floor));
  if (clears(exact)) return { kind: 'clears' };
  const bar = minPassRate === null ? 1 : Math.max(minPassRate, floor ?? 0);
  const [barText, rate] = barTexts(bar, exact.passRate);
  const rule =
    minPassRate === null ? 'it declares no min_pass_rate, so every trial must pass' : `its bar is ${barText}`;
  const best = { ...exact, passRate: exact.passRate + exact.brokenRate, brokenRate: 0 };
  if (clears(best)) return { kind: 'open', reason: `${name}: some answers break the harness; ${rule}.` };
  const whose = floor !== null && (minPassRate === null || floor > minPassRate) ? "the suite's floor" : 'its bar';
  const below = minPassRate !== null && !meetsExactBar(exact, bar);
  if (below) return { kind: 'fails', reason: `${name}: exact pass rate ${rate} is below ${whose} ${barText}.` };
  return { kind: 'fails', reason: `${name}: exact pass rate ${rate}, and ${rule}.` };
}

/** A sequential test replaces the bars; until it decides, the scenario is open. */
function judgeTested(name: string, { verdict, reason }: StopEarlyReport): Judgement {
  if (verdict === 'pass') return { kind: 'clears' };
  return { kind: verdict === 'fail' ? 'fails' : 'open', reason: `${name}: ${reason}` };
}

/** `missed`: the bar that the pass rate is below; null when it is below none. */
function failure(scenario: SampledScenario, floor: number | null, missed: number | null): string {
  const { name, minPassRate, trials } = scenario;
  const { ran: judged, failed } = trialTotals(scenario);
  if (missed !== null) {
    const [barText, rateText] = barTexts(missed, trials.passed / judged);
    const isFloor = floor !== null && (minPassRate === null || floor > minPassRate);
    if (!isFloor && failedByAttack(scenario)) {
      // What the bar was made of, without the rounding of binary fractions.
      const [most, share] = barTexts(Number((1 - missed).toFixed(12)), failed / judged);
      return `${name}: the attack succeeded in ${share} of the trials; max_success is ${most}.`;
    }
    const whose = isFloor ? "the suite's floor" : 'its bar';
    return `${name}: pass rate ${rateText} is below ${whose} ${barText}.`;
  }
  const share = `${formatCount(failed)} of ${plural(judged, 'trial')}`;
  if (failedByAttack(scenario)) return `${name}: the attack succeeded in ${share}, and max_success is 0.`;
  return `${name}: ${share} failed and it declares no min_pass_rate, so every trial must pass.`;
}

/** True: trials failed by the success of an attack alone, whose bar its file states as `max_success`. */
function failedByAttack({ session, trials }: SampledScenario): boolean {
  const attack = session?.crossed?.attack;
  return attack !== undefined && attack.mustFall !== true && attack.succeeded === trials.failed;
}

/** After how many trials that was known; '' where all of them ran. */
function stopText({ stopEarly, trials }: SampledScenario): string {
  if (stopEarly === undefined || trials.executed + trials.deduplicated === trials.requested) return '';
  return ` Settled after ${formatCount(trials.executed + trials.deduplicated)} of ${plural(trials.requested, 'trial')}.`;
}

/** A bar of 0 is met without a success, and yet nothing is shown by trials of which none has a result. */
function noResult(name: string, unknown: string): Judgement {
  return { kind: 'open', reason: `${name}: no trial has a result: ${unknown}.` };
}

function unknownTrials(broken: number, missing: number): string {
  const brokenText = broken === 1 ? '1 trial is broken' : `${formatCount(broken)} trials are broken`;
  const missingText = missing === 1 ? '1 trial did not run' : `${formatCount(missing)} trials did not run`;
  if (missing === 0) return brokenText;
  return broken === 0 ? missingText : `${brokenText} and ${missingText}`;
}

/** The reference's rule: gated only where a bar or a floor exists; a scenario that did not load counts as rate 0. */
function violation(scenario: ScenarioReport, floor: number | null): GateReport['violations'] {
  const { name, verdict } = scenario;
  const minPassRate = verdict === 'load_error' ? null : scenario.minPassRate;
  if (verdict === 'not_run' || (minPassRate === null && floor === null)) return [];
  const required = Math.max(minPassRate ?? 0, floor ?? 0);
  if (verdict === 'load_error') return required > 0 ? [{ scenario: name, passRate: null, required }] : [];
  if (scenario.sampler === 'exhaustive') {
    const { exact } = scenario;
    if (exact === null || meetsExactBar(exact, required)) return [];
    return [{ scenario: name, passRate: null, exactPassRate: exact.passRate, required }];
  }
  const { passRate, trials, stopEarly } = scenario;
  const corrected = correctedOf(scenario);
  if (corrected !== undefined) {
    return corrected !== null && corrected < required ? [{ scenario: name, passRate: corrected, required }] : [];
  }
  const { ran: judged } = trialTotals(scenario);
  const isShort = !meetsBar(trials.passed, judged, required);
  const below = stopEarly?.test === undefined ? isShort : stopEarly.verdict === 'fail';
  return below ? [{ scenario: name, passRate, required }] : [];
}

/** The rate that people would have found; null: the judge may not decide; undefined: there is no judge. */
function correctedOf({ judges }: SampledScenario): number | null | undefined {
  if (judges === undefined) return undefined;
  return decidingJudge(judges).judge?.corrected?.rate ?? null;
}
