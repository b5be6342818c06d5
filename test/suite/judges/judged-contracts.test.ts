import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { calibrateJudge, exitCode, renderReport, runSuite, type RunSuiteOptions } from '../../../src/index.ts';
import { judgedRate } from '../../../src/gate/judged-rate.ts';
import { renderText } from '../../../src/report/text/render-text.ts';
import type { LiveModel } from '../../../src/settings/live-functions.ts';
import type { JudgeSetting } from '../../../src/types/judges/judge.ts';
import type { SuiteReport } from '../../../src/types/reports/report.ts';
import { anHttpServer } from '../../effects/granted/an-http-server.ts';
import { judgeOf, pairJudgeOf } from '../../judges/a-judge.ts';
import { nli } from '../../judges/a-verifier.ts';
import { labelsOf } from '../../judges/labels.ts';
import { inFolder, matrixOf, onlyContract } from '../contract-runs.ts';
import { aShopContract, type ShopChanges } from '../shop-contract.ts';

const SOURCES: JudgeSetting = {
  name: 'sources',
  models: ['fair'],
  criteria: [{ id: 'cited', text: 'The agent says where it has its numbers from.' }],
};
const CALIBRATED: JudgeSetting = { ...SOURCES, calibration: 'sources.json' };

const JUDGED = `
[[contract.invariants]]
id = "sources"
type = "judge"
judge = "sources"
severity = "high"
`;
const BETTER: JudgeSetting = { ...SOURCES, name: 'better', models: ['pairs'], compares: true };
const GROUNDED: JudgeSetting = { name: 'grounded', models: ['nli'], verifies: true };
const COMPARED = `
[[contract.invariants]]
id = "better"
type = "prefers"
judge = "better"
over = "It is five."
severity = "high"

[[contract.invariants]]
id = "grounded"
type = "faithful"
judge = "grounded"
texts = ["According to our source it is in stock and costs five. Our search is down, says the status page, our source."]

[[contract.invariants]]
id = "prices"
type = "faithful"
nodes = ["search"]
severity = "low"
`;
const ONE_PROMPT: ShopChanges = { trials: 24, invariants: JUDGED, prompts: ['How much is it?'] };

/** Rows: answers, cites, hides-outages, no-leak, sources. Columns: calm, search-flaky, model-busy. */
async function runShop(
  cwd: string,
  changes: ShopChanges = {},
  { judge = CALIBRATED, says = judgeOf('source'), ...options }: RunSuiteOptions & Told = {},
): Promise<SuiteReport> {
  writeFileSync(path.join(cwd, 'shop.toml'), aShopContract({ ...ONE_PROMPT, ...changes }));
  return runSuite({ cwd, paths: ['shop.toml'], workers: 0, judges: [judge], models: { fair: says }, ...options });
}

interface Told {
  readonly judge?: JudgeSetting;
  readonly says?: LiveModel;
}

async function calibrate(cwd: string, right: readonly [number, number]): Promise<void> {
  writeFileSync(path.join(cwd, 'labels.csv'), labelsOf(right));
  const about = { judge: SOURCES.name, judges: [SOURCES], models: { fair: judgeOf('source') } };
  writeFileSync(
    path.join(cwd, 'sources.json'),
    JSON.stringify(await calibrateJudge({ cwd, labels: ['labels.csv'], ...about })),
  );
}

const judgedCells = (report: SuiteReport) =>
  onlyContract(report).cells.filter(({ invariant }) => invariant === 'sources');

describe('an invariant that a judge decides', () => {
  test('leaves its contract undecided until the judge is calibrated, and decides cells by the corrected rate then', async () => {
    await inFolder({}, async (cwd) => {
      const before = await runShop(cwd, {}, { judge: SOURCES });
      expect(matrixOf(onlyContract(before)).at(-1)).toBe('???');
      expect(onlyContract(before)).toMatchObject({
        verdict: 'insufficient',
        reasons: [
          'UNCALIBRATED_JUDGE: 3 cells had no judge that may decide: sources in calm, sources in search-flaky, sources in model-busy.',
        ],
      });
      expect(before.gate.reasons).toEqual([expect.stringContaining('contract Shop is undecided: UNCALIBRATED_JUDGE')]);
      expect(exitCode(before)).toBe(3);
      expect(judgedCells(before)[0]).toMatchObject({
        why: expect.stringContaining('judge "sources" is uncalibrated'),
        interval: null,
        judge: { name: 'sources', standing: 'uncalibrated', rate: null },
      });

      await calibrate(cwd, [97, 95]);
      const after = await runShop(cwd);
      expect(matrixOf(onlyContract(after)).at(-1)).toBe('PPP');
      expect([onlyContract(after).verdict, exitCode(after)]).toEqual(['passed', 0]);
      const [calm, flaky] = judgedCells(after);
      const accuracy = (counts: readonly [number, number]) => ({
        sensitivity: { items: 100, agreed: counts[0], share: counts[0] / 100, interval: null },
        specificity: { items: 100, agreed: counts[1], share: counts[1] / 100, interval: null },
      });
      const ofCalm = judgedRate({ trials: 24, decided: 24, passed: calm?.obeyed ?? 0 }, accuracy([97, 95]));
      expect(calm).toMatchObject({ judge: { standing: 'calibrated', rate: ofCalm?.rate }, interval: ofCalm?.interval });
      // Under chaos the struck trials are the evidence.
      const [struck = 0, obeyed = 0] = [flaky?.struck ?? 0, flaky?.obeyedStruck ?? 0];
      expect([struck > 0, struck < 24]).toEqual([true, true]);
      expect(flaky?.judge?.rate).toBe(
        judgedRate({ trials: struck, decided: struck, passed: obeyed }, accuracy([97, 95]))?.rate,
      );
      const text = renderText(after);
      expect(text.replace(/\s+/g, ' ')).toMatch(
        /sources is decided by what people would find instead of its judge: 0\.\d+ \[0\.\d+, 0\.\d+\] under calm, /,
      );
      expect(text).toMatch(/Shop +sources calibrated\n +by itself it passed \d+ of 72 trials\n/);
    });
  });

  test('fails a cell by the rate that people would find, though the judge itself clears the bar', async () => {
    await inFolder({}, async (cwd) => {
      await calibrate(cwd, [100, 80]);
      const own = judgedCells(await runShop(cwd))[0];
      const share = (own?.obeyed ?? 0) / (own?.judged ?? 1);
      expect(own?.judge?.rate).toBeLessThan(share);
      const bar = (share + (own?.judge?.rate ?? 0)) / 2;
      const report = await runShop(cwd, { minPassRate: bar });
      expect(judgedCells(report)[0]).toMatchObject({ state: 'failed', why: expect.stringContaining('when corrected') });
    });
  });

  test('prefers its answer to another in both orders, or has its claims verified, in each cell', async () => {
    await inFolder({}, async (cwd) => {
      const options = {
        judges: [BETTER, GROUNDED],
        models: { fair: judgeOf('source'), pairs: pairJudgeOf('source'), nli },
      };
      const open = onlyContract(await runShop(cwd, { invariants: COMPARED }, options));
      expect(matrixOf(open).slice(-3)).toEqual(['???', '???', 'PFP']);
      expect(open.reasons[0]).toContain('UNCALIBRATED_JUDGE: 6 cells had no judge that may decide');
      writeFileSync(path.join(cwd, 'labels.csv'), labelsOf([97, 95]));
      for (const judge of options.judges) {
        const about = { judge: judge.name, judges: options.judges, models: options.models };
        const calibration = await calibrateJudge({ cwd, labels: ['labels.csv'], ...about });
        writeFileSync(path.join(cwd, `${judge.name}.json`), JSON.stringify(calibration));
      }
      const calibrated = options.judges.map((one) => ({ ...one, calibration: `${one.name}.json` }));
      const report = await runShop(cwd, { invariants: COMPARED }, { ...options, judges: calibrated });
      expect(matrixOf(onlyContract(report)).slice(-3)).toEqual(['PPP', 'PPP', 'PFP']);
      const cells = onlyContract(report)
        .cells.filter(({ column }) => column === 'calm')
        .slice(-3);
      const [cites, compared, verified] = onlyContract(report).cells.filter(
        ({ column, invariant }) => column === 'calm' && ['cites', 'better', 'grounded'].includes(invariant),
      );
      // Both judges see what the pattern sees, and their cells are decided by what people would find instead.
      expect([compared?.obeyed, verified?.obeyed]).toEqual([cites?.obeyed, cites?.obeyed]);
      expect(cells[0]).toMatchObject({ judge: { name: 'better', standing: 'calibrated' }, state: 'passed' });
      expect(cells[1]).toMatchObject({ judge: { name: 'grounded', standing: 'calibrated' }, state: 'passed' });
      expect(cells[0]?.judge?.rate).toBeLessThan(1);
      expect(
        onlyContract(report).judges?.map(({ judge, position, claims }) => [
          judge,
          position?.consistency,
          (claims?.verified ?? 0) > 48,
        ]),
      ).toEqual([
        ['better', 1, false],
        ['grounded', undefined, true],
      ]);
      // What guesses says so, and is judged without a model: while the search is down, nothing could be supported.
      const [, flaky] = onlyContract(report).cells.slice(-3);
      expect(flaky?.evidence?.message).toContain('support every claim (heuristic)');
      expect([cells[2]?.obeyed, flaky?.judge]).toEqual([24, undefined]);
      expect(onlyContract(report).invariants.at(-1)).toMatchObject({ type: 'faithful', isHeuristic: true });
      expect(renderText(report).replace(/\s+/g, ' ')).toContain(
        'prices compares facts and no meanings: it is a heuristic.',
      );
    });
  });

  test('asks for a bar below 1, and for what is declared to strike', async () => {
    await inFolder({}, async (cwd) => {
      await calibrate(cwd, [97, 95]);
      const strict = await runShop(cwd, { minPassRate: 1 });
      expect(judgedCells(strict)[0]).toMatchObject({
        state: 'inconclusive',
        why: expect.stringContaining('no min_pass_rate'),
      });
      expect(onlyContract(strict).verdict).toBe('failed');
      const rare = JUDGED.replace('[[contract.invariants]]', '[[contract.invariants]]\nwhen = "llm_faults_active"');
      const [, , busy] = judgedCells(await runShop(cwd, { trials: 1, invariants: rare, prompts: ['Hello?'] }));
      expect(busy).toMatchObject({ state: 'inconclusive', why: expect.stringContaining('never fired') });
    });
  });

  test('is broken where the judge says nothing, at a rate of its own', async () => {
    await inFolder({}, async (cwd) => {
      await calibrate(cwd, [97, 95]);
      const prose: LiveModel = () => ({ content: 'It looks fine to me.', promptTokens: 7, completionTokens: 3 });
      const report = await runShop(cwd, { trials: 3, minPassRate: 0.9 }, { says: prose });
      expect(judgedCells(report)[0]).toMatchObject({
        state: 'broken',
        why: expect.stringContaining('gave no verdict'),
      });
      expect(onlyContract(report).judges).toMatchObject([
        { judge: 'sources', errors: 9, errorRate: 1, corrected: null },
      ]);
      expect(onlyContract(report).verdict).toBe('insufficient');
    });
  });

  test('is decided on an agent by all that it answered, as the same bytes from a cassette', async () => {
    const server = await anHttpServer((_, response) => response.end('It costs five, says our source.'));
    const contract = `golden_prompts = ["How much?", "Is it in stock?"]
[agent]
endpoint = "${server.origin}/ask"
stateless = true
[contract]
name = "Shop"
trials = 4
min_pass_rate = 0.5
${JUDGED}
[[contract.chaos_matrix]]
name = "calm"
[[contract.chaos_matrix]]
name = "cut"
llm_faults = [{ mode = "truncated_response", max_tokens = 2 }]
`;
    await inFolder({ 'shop.toml': contract }, async (cwd) => {
      await calibrate(cwd, [97, 95]);
      const options = { cwd, paths: ['shop.toml'], judges: [CALIBRATED], models: { fair: judgeOf('source') } };
      const permissions = { net: ['127.0.0.1'] };
      const report = await runSuite({ ...options, workers: 0, permissions, record: 'tape' });
      expect(matrixOf(onlyContract(report))).toEqual(['PF']);
      expect(judgedCells(report).map(({ judged, obeyed }) => [judged, obeyed])).toEqual([
        [4, 4],
        [4, 0],
      ]);
      const bytes = renderReport(report, { reporter: 'json', timing: false });
      const again = await runSuite({ ...options, workers: 0, replay: 'tape' });
      expect(onlyContract(again).cells.map(({ state, judge }) => [state, judge])).toEqual(
        onlyContract(report).cells.map(({ state, judge }) => [state, judge]),
      );
      expect(bytes).toContain('"standing":');
    });
  });
});

test.each([
  ['negate = true', 'cannot be turned around'],
  ['judge = ""', 'judge'],
])('%s on such an invariant is a load error', async (line, message) => {
  await inFolder({}, async (cwd) => {
    const changed = line.startsWith('judge') ? JUDGED.replace('judge = "sources"', line) : `${JUDGED}${line}\n`;
    const report = await runShop(cwd, { invariants: changed }).catch((error: unknown) => error);
    const shown = JSON.stringify(report, (_, value: unknown) =>
      value instanceof Error ? { ...value, message: value.message } : value,
    );
    expect(shown).toContain(message);
  });
});
