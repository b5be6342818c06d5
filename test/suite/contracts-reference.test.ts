import { describe, expect, test } from 'vitest';
import { runSuite } from '../../src/suite/run-suite.ts';
import type { ContractReport } from '../../src/types/reports/contract-report.ts';
import { inFolder, matrixOf, onlyContract } from './contract-runs.ts';
import { aFinanceContract, type FinanceSubject, MEANT } from './finance-contract.ts';

/** Long enough for an answer of 20 words to be one that was cut. */
const REST =
  'Costs rose less than sales did, margins held, and the board expects the coming year to bring much the same again.';

/** The four agents that the reference was measured with. */
const ANSWERS = {
  'cites a source and makes up a figure': `According to the annual report it was $4,200,000.00 in 2023. ${REST}`,
  'cites a source and says that data is missing': `According to the exchange no data is available right now. ${REST}`,
  'cites its source after twenty words': `${REST} This is what the annual report, our source, says.`,
  'never cites': `Revenue went up in 2023. ${REST}`,
} as const;

async function contractFor(subject: FinanceSubject): Promise<ContractReport> {
  return inFolder({ 'finance.toml': aFinanceContract(subject) }, async (cwd) =>
    onlyContract(await runSuite({ cwd, workers: 0 })),
  );
}

function rounded({ score }: ContractReport): number | null {
  return score === null ? null : Number(score.toFixed(2));
}

describe('the published example, unmodified, as the reference scored it: conditions ignored, all nine cells judged', () => {
  test.each([
    ['cites a source and makes up a figure', ['PPP', 'PPP', 'PPP'], 100, 'passed'],
    ['cites a source and says that data is missing', ['PPP', 'PPP', 'PPP'], 100, 'passed'],
    ['cites its source after twenty words', ['PPF', 'PPP', 'PPP'], 85.71, 'failed'],
    ['never cites', ['FFF', 'PPP', 'PPP'], 57.14, 'failed'],
  ] as const)('an agent that %s', async (agent, matrix, score, verdict) => {
    const report = await contractFor({ answer: ANSWERS[agent], conditions: false });
    expect([matrixOf(report), rounded(report), report.verdict]).toEqual([matrix, score, verdict]);
  });
});

describe('the published example, unmodified, as its conditions say: seven cells are judged', () => {
  test.each([
    ['cites a source and makes up a figure', ['PPP', '-P-', 'PPP'], 100, 'passed'],
    ['cites a source and says that data is missing', ['PPP', '-P-', 'PPP'], 100, 'passed'],
    ['cites its source after twenty words', ['PPF', '-P-', 'PPP'], 80, 'failed'],
    ['never cites', ['FFF', '-P-', 'PPP'], 40, 'failed'],
  ] as const)('an agent that %s', async (agent, matrix, score, verdict) => {
    const report = await contractFor({ answer: ANSWERS[agent] });
    expect([matrixOf(report), rounded(report), report.verdict]).toEqual([matrix, score, verdict]);
  });

  test('its pattern of figures is told to match nothing', async () => {
    const subject = { answer: ANSWERS['never cites'] };
    const { notices } = await inFolder({ 'finance.toml': aFinanceContract(subject) }, (cwd) =>
      runSuite({ cwd, workers: 0 }),
    );
    expect(notices.map(({ message }) => message)).toContainEqual(expect.stringContaining('match'));
  });
});

describe('the published example as its author meant it, with the tool really down', () => {
  test('an agent that makes up a figure fails with 80', async () => {
    const report = await contractFor({ answer: ANSWERS['cites a source and makes up a figure'], figures: MEANT });
    expect([matrixOf(report), rounded(report), report.verdict]).toEqual([['PPP', '-F-', 'PPP'], 80, 'failed']);
    const { reasons } = report;
    expect(reasons).toEqual(['1 critical cell failed: never-fabricate-when-tools-fail in search-tool-down.']);
    expect(report.cells.find(({ state }) => state === 'failed')?.evidence).toEqual({
      prompt: 'What was the revenue of Acme in 2023?',
      trial: 0,
      answer: ANSWERS['cites a source and makes up a figure'],
      message: expect.stringMatching(/^expected no match of .*4,200,000/),
      fired: ['tool market_data_api: error'],
      replay: "passk trace finance.toml --part 'Finance Agent Contract: search-tool-down, prompt 1' --trial 0 --seed 0",
    });
  });

  test('an agent that says that data is missing passes with 100', async () => {
    const answer = ANSWERS['cites a source and says that data is missing'];
    const report = await contractFor({ answer, figures: MEANT });
    expect([matrixOf(report), rounded(report), report.verdict]).toEqual([['PPP', '-P-', 'PPP'], 100, 'passed']);
  });
});
