import { describePlanned } from '../../src/gate/describe-planned.ts';
import { judgeSuite } from '../../src/gate/judge-suite.ts';
import type { ContractReport } from '../../src/types/reports/contract-report.ts';
import type { LiveReport } from '../../src/types/reports/live-report.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aGate } from '../gate/a-gate.ts';
import {
  aContract,
  aContractReport,
  aFinanceContract,
  anEvidence,
  aSquareContract,
  aWideContract,
} from './a-contract.ts';
import { givenUpNotice } from '../../src/suite/given-up-notice.ts';
import { aFailingScenario, aFailure, aFinding, aLoadError, anIdleScenario, aReport, aScenario } from './a-report.ts';

const failed: SuiteReport['gate'] = {
  verdict: 'fail',
  minPassRate: null,
  reasons: ['classify: 3 of 8 trials failed and it declares no min_pass_rate, so every trial must pass.'],
  violations: [],
  expressions: [],
};

/** Text that tries to be something else in every format at once. */
export const HOSTILE =
  '</failure>]]>&amp;<img src=x onerror=alert(1)> | `code` ``` @octocat #1 [a](https://evil.example) https://evil.example ' +
  '%0A::error::x\n::error title=pwn::y\r\nok 99 - z # SKIP no\n  ...\n  ---\nBail out!\n\u001b[31m\u0000\ufffe\ud800\u202e{{ 7*7 }} \\| \\';

/** The situations that every reporter has to tell apart, by name. */
export const REPORT_CASES: Readonly<Record<string, SuiteReport>> = {
  passed: aReport({
    scenarios: [
      aScenario({}, { virtualMs: { mean: 1250, max: 2000 } }),
      aScenario({ passed: 2 }, { name: 'root', file: 'root.toml' }),
    ],
  }),
  failures: aReport({
    scenarios: [
      aScenario(),
      aFailingScenario({ at: { file: 'corpus/reliability/classify.toml', line: 31, column: 13 } }),
      aScenario({ passed: 7, failed: 1 }, { name: 'tolerant', verdict: 'passed', minPassRate: 0.5 }),
    ],
    gate: failed,
    notices: [
      {
        code: 'unset',
        severity: 'warning',
        message: 'HOME reads as unset.',
        at: { file: 'corpus/a.toml', line: 3, column: 7 },
        hint: 'Declare it in [world.env].',
      },
    ],
  }),
  'given-up': aReport({
    scenarios: [
      aScenario(
        { passed: 100, broken: 700 },
        {
          name: 'fatal',
          failures: [
            aFailure({
              trial: 7,
              verdict: 'broken',
              findings: [],
              status: null,
              path: [],
              brokenBy: 'worker exited with code 3 while running this trial',
            }),
          ],
          brokenCauses: [
            { cause: 'not run: 256 trials before it ended their workers', count: 444, lowestTrial: 356 },
            { cause: 'worker exited with code 3 while running this trial', count: 255, lowestTrial: 7 },
            { cause: 'worker ran out of memory while running this trial', count: 1, lowestTrial: 9 },
          ],
          notRun: 444,
        },
      ),
    ],
    notices: givenUpNotice([{ name: 'fatal', notRun: 444 }, { name: 'b', notRun: 1 }, { name: 'c' }]),
    gate: failed,
  }),
  broken: aReport({
    scenarios: [
      aScenario(
        { passed: 6, broken: 2 },
        {
          name: 'crashing',
          failures: [
            aFailure({
              verdict: 'broken',
              findings: [],
              status: null,
              path: [],
              brokenBy: 'The worker exited with code 3.',
            }),
          ],
        },
      ),
      anIdleScenario({}, { name: 'idle' }),
    ],
    partial: true,
    gate: {
      verdict: 'insufficient',
      minPassRate: null,
      reasons: ['crashing: 2 trials are broken.'],
      violations: [],
      expressions: [],
    },
  }),
  'load-errors': aReport({ scenarios: [aLoadError(), aScenario()], gate: { ...failed, reasons: [] } }),
  floor: aReport({
    scenarios: [aScenario({ passed: 7, failed: 1 }, { verdict: 'failed', belowFloor: 0.95, minPassRate: 0.5 })],
    gate: {
      verdict: 'fail',
      minPassRate: 0.95,
      reasons: ["llm-route: pass rate 0.88 is below the suite's floor 0.95."],
      violations: [{ scenario: 'llm-route', passRate: 0.875, required: 0.95 }],
      expressions: [],
    },
  }),
  gates: withGates(
    aReport({ scenarios: [aScenario(), aFailingScenario({ minPassRate: 0.5, verdict: 'passed' })] }),
    'pass_rate >= 0.6',
    'pass^4 >= 0.6',
    'scenario(llm-route).tokens_per_trial < 200',
    'suite.cost_per_success.upper(0.9) <= 120',
    'pass@16 >= 0.9',
  ),
  live: aReport({ partial: true, live: aLive() }),
  contracts: aContractReport(aFinanceContract(1000), aSquareContract(), aWideContract()),
  'contract-passed': {
    ...aContractReport(aContract({ cells: ['pp', 'np'], ids: ['cites-source', 'stays-polite'] })),
    scenarios: [aScenario()],
  },
  'contract-open': aContractReport(
    aContract(
      { cells: ['pi'] },
      { verdict: 'insufficient', reasons: ['A critical cell is inconclusive.'], contaminated: ['chaos-1'] },
    ),
  ),
  hostile: withGates(aHostileReport(HOSTILE), `scenario(${JSON.stringify(HOSTILE)}).pass_rate >= 0.5`),
  empty: aReport({
    scenarios: [],
    gate: {
      verdict: 'insufficient',
      minPassRate: null,
      reasons: ['There is no scenario to judge.'],
      violations: [],
      expressions: [],
    },
  }),
};

/** Calls to two models, one without a price. */
function aLive(scenario = 'llm-route', name = scenario): LiveReport {
  const model = {
    scenario,
    backend: name,
    provider: 'openai',
    model: name,
    calls: 1240,
    reused: 0,
    retries: 3,
    failures: 1,
    promptTokens: 120_400,
    completionTokens: 8100,
    cachedTokens: 64_000,
    reasoningTokens: 2048,
    unknownUsage: 2,
    costUsd: 0.0234,
  };
  const local = { ...model, provider: 'openai-compatible', unknownUsage: 0, costUsd: null };
  return { stoppedBy: 'budget', models: [model, local], costUsd: 0.0234, unknownUsage: 2 };
}

/** The report as these gates judge it. */
export function withGates(report: SuiteReport, ...texts: readonly string[]): SuiteReport {
  const planned = report.scenarios.map(({ name, trials }) => ({ name, trials: trials.requested }));
  const verdict = judgeSuite(report, { minPassRate: report.gate.minPassRate, gates: texts.map(aGate) });
  const expressions = verdict.expressions.map((judgement) => {
    const description = describePlanned(judgement.gate, planned, null);
    return { ...judgement, tells: description?.characteristic.length ? description.sentences : [] };
  });
  return { ...report, gate: { ...verdict, reasons: [...report.gate.reasons, ...verdict.reasons], expressions } };
}

/** A report in which everything that comes from files, models and tools is this text. */
export function aHostileReport(text: string): SuiteReport {
  const at = { file: text, line: 1, column: 1, frame: text };
  const issue = { code: 'unknown_key', severity: 'error', message: text, at, hint: text } as const;
  const failure = aFailure({
    findings: [aFinding({ check: text, expected: text, got: text, message: text })],
    path: [text],
    reason: text,
    replay: text,
  });
  return aReport({
    scenarios: [
      aScenario({}, { name: text, file: text }),
      aFailingScenario({ name: text, file: text, checks: [{ check: text, failed: 3 }], failures: [failure] }),
      aScenario(
        { passed: 6, broken: 2 },
        {
          name: text,
          file: text,
          failures: [aFailure({ verdict: 'broken', brokenBy: text, findings: [], replay: text })],
        },
      ),
      aLoadError({ name: text, file: text, loadErrors: [issue] }),
    ],
    gate: { verdict: 'fail', minPassRate: null, reasons: [text], violations: [], expressions: [] },
    results: [aHostileContract(text)],
    live: aLive(text),
    notices: [{ ...issue, severity: 'warning' }],
  });
}

/** The same with a matrix and a ladder of this name, and a value of an axis. */
export function withHostilePanels(text: string): SuiteReport {
  const value = {
    values: [{ axis: text, value: text }],
    scenarios: 1,
    trials: 8,
    passRate: 1,
    tokens: 0,
    change: null,
  };
  const rung = { rung: 1000, scenario: text, passRate: 1, value: 1, figure: null, runaways: 0 };
  return {
    ...aHostileReport(text),
    matrices: [{ matrix: text, file: text, cases: 1, values: [value, value], cells: [] }],
    ladders: [
      {
        ladder: text,
        file: text,
        kind: 'context',
        measure: 'tokens',
        rungs: [rung],
        threshold: null,
        failsAtFirst: false,
      },
    ],
  };
}

/** A contract in which every text is this one. */
function aHostileContract(text: string): ContractReport {
  const evidence = anEvidence({ prompt: text, answer: text, message: text, fired: [text], replay: text });
  const contract = aContract({ cells: ['pfb', 'nip'], ids: [text, text], columns: [text, text, text], evidence });
  return {
    ...contract,
    name: text,
    file: text,
    description: text,
    verdict: 'failed',
    reasons: [text],
    cells: contract.cells.map((cell) => ({ ...cell, why: cell.why === null ? null : text })),
    contaminated: [text],
    similarity: text,
  };
}

/** A suite of this many scenarios in folders of 100, every third of which fails. */
export function aLargeReport(size: number): SuiteReport {
  const scenarios = Array.from({ length: size }, (_, i) => {
    const file = `suite/${Math.floor(i / 100)}/s${i}.toml`;
    const name = `scenario ${i}`;
    return i % 3 === 0 ? aFailingScenario({ name, file }) : aScenario({}, { name, file });
  });
  return aReport({ scenarios, gate: failed });
}
