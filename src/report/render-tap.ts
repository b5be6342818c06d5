import type { RenderOptions } from '../types/render-options.ts';
import type { Json } from '../types/json.ts';
import type { FailureReport, ScenarioReport, SuiteReport } from '../types/report.ts';
import { contractPoints } from './contract-tap.ts';
import { overallParts, placedCells } from './contract-texts.ts';
import type { GateText } from './gate-texts.ts';
import { givenUpTexts } from './given-up-texts.ts';
import { judgementTexts } from './judgement-texts.ts';
import { plainText } from './plain-text.ts';
import { isTrouble, type ScenarioOutcome, scenarioOutcomes } from './scenario-outcome.ts';
import { silentGate } from './silent-gate.ts';
import { escapeDescription, LONGEST_REPLAY, tapYaml } from './tap-yaml.ts';

/** TAP 14: a test point per scenario and per cell of a contract, with what tools want to know of a failure as YAML. */
export function renderTap(report: SuiteReport, _options: RenderOptions): string {
  const outcomes = scenarioOutcomes(report);
  const gate = silentGate(report, outcomes);
  const expressions = judgementTexts(report);
  const overall = overallParts(report);
  const contracts = contractLines(report, outcomes.length + 1);
  const before = outcomes.length + contracts.points;
  const points = before + expressions.length + (gate === null ? 0 : 1);
  const lines = [
    'TAP version 14',
    `1..${points}${points === 0 ? ' # SKIP there is no scenario' : ''}`,
    `# passk ${plainText(report.passk)}, seed ${report.seed}`,
    ...givenUpTexts(report).map((text) => `# ${text}`),
    ...(report.partial ? ['# stopped early: numbers cover what had run'] : []),
    ...outcomes.flatMap((one, i) => testPoint(one, i + 1)),
    ...contracts.lines,
    ...expressions.flatMap((one, i) => gatePoint(one, before + i + 1)),
    ...(gate === null ? [] : [`not ok ${points} - gate`, ...tapYaml({ message: gate, severity: 'fail' })]),
    ...(overall.length === 0 ? [] : [`# overall: ${overall.join(', ')}`]),
    `# gate: ${report.gate.verdict}`,
  ];
  return `${lines.join('\n')}\n`;
}

const LONGEST_NAME = 200;
const LONGEST_TEXT = 600;
/** Nodes of a long walk that are kept. */
const KEPT_STEPS = 50;

function contractLines(
  { contracts = [] }: SuiteReport,
  first: number,
): { readonly lines: readonly string[]; readonly points: number } {
  const lines: string[] = [];
  let points = 0;
  for (const contract of contracts) {
    lines.push(...contractPoints(contract, first + points));
    points += placedCells(contract).length;
  }
  return { lines, points };
}

function testPoint(one: ScenarioOutcome, number: number): readonly string[] {
  const { scenario, outcome, counts } = one;
  const name = escapeDescription(plainText(scenario.name, LONGEST_NAME));
  if (outcome === 'skipped') return [`ok ${number} - ${name} # SKIP ${counts}`];
  const point = `${isTrouble(one) ? 'not ok' : 'ok'} ${number} - ${name}`;
  return [point, ...tapYaml(diagnostics(one))];
}

function gatePoint({ text, word, found, tells }: GateText, number: number): readonly string[] {
  const point = `${word === 'pass' ? 'ok' : 'not ok'} ${number} - gate ${escapeDescription(text)}`;
  const severity = word === 'pass' ? {} : { severity: 'fail' };
  return [point, ...tapYaml({ message: found.join(' '), ...severity, ...(tells !== '' && { tells }) })];
}

function diagnostics(one: ScenarioOutcome): Readonly<Record<string, Json>> {
  const { scenario, outcome, counts, cause } = one;
  const { trials, passRate, passRateInterval, strictPassK, seed } = scenario;
  const file = plainText(scenario.file, LONGEST_TEXT);
  const numbers = {
    file,
    seed,
    trials: trials.executed + trials.deduplicated,
    passed: trials.passed,
    failed: trials.failed,
    broken: trials.broken,
    ...(scenario.stopEarly !== undefined && { stopEarly: scenario.stopEarly.reason }),
    passRate,
    passRateInterval,
    strictPassK,
    ...(scenario.exact !== undefined && { exactPassRate: scenario.exact.passRate, leaves: scenario.exact.leaves }),
  };
  if (outcome === 'passed') return numbers;
  const message = cause === '' ? counts : `${counts} — ${cause}`;
  const severity = outcome === 'failed' ? 'fail' : 'error';
  if (outcome === 'load_error') return { message, severity, file, problems: problems(scenario) };
  const at = scenario.at === undefined ? {} : { at: placeOf(scenario.at) };
  return { message, severity, ...at, ...numbers, checks: checks(scenario), ...firstFailure(scenario.failures[0]) };
}

function problems({ loadErrors }: ScenarioReport): readonly Json[] {
  return loadErrors.map(({ code, message, at, hint }) => ({
    code,
    message: plainText(message, LONGEST_TEXT),
    ...(at !== undefined && { at: placeOf(at) }),
    ...(hint !== undefined && { hint: plainText(hint, LONGEST_TEXT) }),
  }));
}

function placeOf({ file, line, column }: NonNullable<ScenarioReport['at']>): Json {
  return { file: plainText(file, LONGEST_TEXT), line, column };
}

function checks({ checks: failed, failures }: ScenarioReport): readonly Json[] {
  const findings = failures.flatMap((failure) => failure.findings);
  return failed.map(({ check, failed: count }) => {
    const finding = findings.find((one) => one.check === check && (one.verdict === 'fail' || one.verdict === 'error'));
    const name = plainText(check, LONGEST_TEXT);
    if (finding === undefined) return { check: name, failed: count };
    return { check: name, failed: count, expected: tapValue(finding.expected), got: tapValue(finding.got) };
  });
}

/** Texts and numbers as they are, anything deeper as JSON. */
function tapValue(value: Json): Json {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return plainText(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_TEXT);
}

function firstFailure(failure: FailureReport | undefined): Readonly<Record<string, Json>> {
  if (failure === undefined) return {};
  const { trial, path, status, stoppedBy, reason, brokenBy, replay } = failure;
  return {
    trial,
    path: path.slice(0, KEPT_STEPS).map((node) => plainText(node, 80)),
    status,
    ...(stoppedBy !== null && { stoppedBy }),
    ...(reason !== null && { reason: plainText(reason, LONGEST_TEXT) }),
    ...(brokenBy !== null && { brokenBy: plainText(brokenBy, LONGEST_TEXT) }),
    ...(replay !== null && { replay: plainText(replay, LONGEST_REPLAY) }),
  };
}
