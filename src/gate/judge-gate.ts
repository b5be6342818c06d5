import type { Gate, GateJudgement, GateResult } from '../types/reports/gate.ts';
import type { ScenarioReport } from '../types/reports/scenario-report.ts';
import { barText, type Ends, verdictOfRange } from './compare.ts';
import { type GateMetric, metricNamed } from './gate-metrics.ts';
import { isCellOf, scopeText } from './gate-scope.ts';
import { valueTexts } from './gate-text.ts';
import type { NoReading, Reading } from './reading.ts';
import { readCells } from './read-cells.ts';
import { readScenario } from './read-scenario.ts';
import { type Judged, readSuite } from './read-suite.ts';
import { worstVerdict } from './worst-verdict.ts';

/**
 * The gate's answer for a run. Trials that are broken or did not run count both ways: only what none of them could
 * change passes or fails, the rest is insufficient; so is a run in which there is nothing to judge.
 */
export function judgeGate(gate: Gate, report: Judged): GateJudgement {
  const metric = metricNamed(gate.metric);
  if (metric === undefined) throw new RangeError(`There is no metric "${gate.metric}": take gates from parseGate.`);
  const results = judgeScope(gate, metric, report);
  const verdict = worstVerdict(results.map((result) => result.verdict));
  return { gate, verdict, reason: summarize(gate, results, nounIn(report)), results };
}

function judgeScope(gate: Gate, metric: GateMetric, report: Judged): readonly GateResult[] {
  const { scope } = gate;
  const { cells = [] } = report;
  if (metric.source.from === 'cells') {
    const of = scope.kind === 'cells' ? cells.filter(({ names }) => isCellOf(names, scope.names)) : cells;
    return [gateResult(gate, metric, null, readCells(metric.source.count, of))];
  }
  const whole = [...report.scenarios, ...cells.map((cell) => cell.report)];
  if (scope.kind === 'partition') {
    // A file that did not load says of no suite that it is not part of it.
    const scenarios = report.scenarios.filter((one) => one.verdict === 'load_error' || one.suite === scope.name);
    return [gateResult(gate, metric, null, readSuite(gate, metric, { ...report, scenarios }))];
  }
  if (scope.kind === 'suite')
    return [gateResult(gate, metric, null, readSuite(gate, metric, { ...report, scenarios: whole }, nounIn(report)))];
  if (scope.kind === 'cells') {
    const scenarios = cells.filter(({ names }) => isCellOf(names, scope.names)).map((cell) => cell.report);
    return [gateResult(gate, metric, null, readSuite(gate, metric, { ...report, scenarios }, 'cell'))];
  }
  const judge = (scenario: ScenarioReport): GateResult =>
    gateResult(gate, metric, scenario.name, readScenario(gate, metric, scenario));
  if (scope.kind === 'every') return whole.map(judge);
  const named = whole.filter((scenario) => scenario.name === scope.name);
  if (named.length > 0) return named.map(judge);
  return [gateResult(gate, metric, scope.name, { verdict: 'insufficient', why: 'is no scenario of this run' })];
}

/** What a gate says of what it has read. `scenario`: its name; null: the gate has one answer over several. */
export function gateResult(
  gate: Gate,
  metric: GateMetric,
  scenario: string | null,
  reading: Reading | NoReading,
): GateResult {
  const { scope } = gate;
  const who = scenario ?? scopeText(scope);
  if ('why' in reading) {
    return {
      scenario,
      verdict: reading.verdict,
      value: null,
      low: null,
      high: null,
      interval: null,
      reason: `${who}: ${reading.why}.`,
    };
  }
  const { value, low, high } = reading;
  const verdict = verdictOfRange(low, high, gate.operator, gate.value);
  return {
    scenario,
    verdict,
    value,
    low: finite(low.named.number),
    high: finite(high.named.number),
    interval: intervalOf(gate, low),
    reason: `${who}: ${sentence(gate, metric, reading, verdict === 'insufficient')}.`,
  };
}

function intervalOf({ side }: Gate, { named, other }: Ends): GateResult['interval'] {
  if (side.kind === 'point' || other === null) return null;
  const [low, high] = side.kind === 'lower' ? [named, other] : [other, named];
  return [low.number, finite(high.number)];
}

function sentence(gate: Gate, metric: GateMetric, { value, low, high, basis }: Reading, isOpen: boolean): string {
  const [bar = '', shown = '', lowText = '', highText = '', otherText = ''] = valueTexts(
    metric.isRate,
    gate.value,
    value ?? 0,
    finite(low.named.number) ?? 0,
    finite(high.named.number) ?? 0,
    finite(low.other?.number ?? 0) ?? 0,
  );
  const must = `must be ${barText(gate.operator, bar)}`;
  const name = `${gate.metric}${gate.k ?? ''}${sideText(gate)}`;
  const isKnown = low.named.number === high.named.number;
  if (!isKnown && (isOpen || value === null)) {
    const range = Number.isFinite(high.named.number) ? `between ${lowText} and ${highText}` : `${lowText} or more`;
    return `${name} is ${range} while some trials have no result (${basis}); it ${must}`;
  }
  const number = Number.isFinite(low.named.number) ? shown : 'without limit';
  if (!isOpen || low.other === null) return `${name} is ${number} (${basis}); it ${must}`;
  const other = Number.isFinite(low.other.number) ? otherText : 'without limit';
  const [side, otherSide] = gate.side.kind === 'lower' ? ['lower', 'upper'] : ['upper', 'lower'];
  return `${name} is ${number} (${basis}); it ${must}; too few trials to tell, for the ${side} end misses the bar and the ${otherSide} end, ${other}, meets it`;
}

function sideText({ side }: Gate): string {
  if (side.kind === 'point') return '';
  return `.${side.kind}(${side.level}${side.about === 'population' ? ', population' : ''})`;
}

/** What a gate on the whole run is asked of. */
function nounIn({ scenarios, cells = [] }: Judged): 'scenario' | 'cell' {
  return scenarios.length === 0 && cells.length > 0 ? 'cell' : 'scenario';
}

function summarize(gate: Gate, results: readonly GateResult[], noun: string): string {
  const of = (verdict: GateResult['verdict']): readonly GateResult[] =>
    results.filter((result) => result.verdict === verdict);
  const failed = of('fail');
  const open = of('insufficient');
  if (results.length === 0) return `${gate.text}: there is no ${noun} to judge.`;
  const [first] = [...failed, ...open];
  if (results.length === 1) {
    const [only] = results as readonly [GateResult];
    return only.reason;
  }
  if (first === undefined) return `${gate.text}: holds for all ${results.length} ${noun}s.`;
  const worst = failed.length > 0 ? failed : open;
  const what = failed.length > 0 ? 'fails for' : 'is open for';
  return `${gate.text}: ${what} ${worst.length} of ${results.length} ${noun}s, first for ${first.reason}`;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
