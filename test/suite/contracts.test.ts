import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { exitCode } from '../../src/gate/exit-code.ts';
import { readHistory } from '../../src/suite/history/open-history.ts';
import { renderReport } from '../../src/suite/render-report.ts';
import { runShard } from '../../src/suite/run-shard.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import type { RunSuiteOptions } from '../../src/settings/options.ts';
import type { ShardSource } from '../../src/records/read-shard.ts';
import { readReport } from '../../src/suite/read-report.ts';
import { traceTrial } from '../../src/suite/trace-trial.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { writeFileWhole } from '../../src/records/write-file-whole.ts';
import { aGreeting } from '../cli/run-passk.ts';
import { inFolder, matrixOf, onlyContract } from './contract-runs.ts';
import { aShopContract, SHOP_WORKFLOW, type ShopChanges } from './shop-contract.ts';

function bytesOf(report: SuiteReport): string {
  return renderReport(report, { reporter: 'json', timing: false });
}

function runShop(changes: ShopChanges = {}, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return inFolder({ 'shop.toml': aShopContract(changes) }, (cwd) => runSuite({ cwd, workers: 0, ...options }));
}

describe('a run with a contract', () => {
  test('judges every invariant in every column where it applies, over all prompts', async () => {
    const report = await runShop();
    const contract = onlyContract(report);
    expect(matrixOf(contract)).toEqual(['PPP', 'PPP', '-F-', 'P--']);
    const down = contract.columns[1]?.faults[0]?.trials ?? 0;
    expect([down > 100, down < 220]).toEqual([true, true]);
    expect(contract.cells.map(({ judged }) => judged)).toEqual([400, 400, 400, 400, 400, 400, 0, down, 0, 200, 0, 0]);
    expect(contract.cells.slice(0, 3).map(({ struck }) => struck)).toEqual([
      null,
      down,
      contract.columns[2]?.faults[0]?.trials,
    ]);
    expect(contract.verdict).toBe('passed');
    expect(contract.score).toBeCloseTo((100 * 19) / 21, 9);
    expect(report.overall).toEqual({
      score: expect.closeTo(19 / 21, 9),
      phases: [{ phase: 'contract', score: expect.closeTo(19 / 21, 9), weight: 0.35, share: 1 }],
      notRun: [],
    });
    expect([report.gate.verdict, exitCode(report)]).toEqual(['pass', 0]);
  });

  test('keeps its parts out of scenarios, summary and coverage, and fails the gate through its verdict', async () => {
    const files = { 'shop.toml': aShopContract({ minPassRate: 1 }), 'greeting.toml': aGreeting() };
    const report = await inFolder(files, (cwd) => runSuite({ cwd, workers: 0 }));
    const alone = await inFolder({ 'greeting.toml': files['greeting.toml'] }, (cwd) => runSuite({ cwd, workers: 0 }));
    expect([report.summary, report.scenarios, report.coverage, report.security]).toEqual([
      alone.summary,
      alone.scenarios,
      alone.coverage,
      alone.security,
    ]);
    expect([alone.gate.verdict, report.gate.verdict, exitCode(report)]).toEqual(['pass', 'fail', 1]);
    expect(report.gate.reasons).toEqual(['contract Shop failed.']);
    expect(onlyContract(report).reasons).toEqual([
      '4 critical cells failed: answers in model-busy, cites in calm, cites in search-flaky, cites in model-busy.',
    ]);
  });

  test('is not enough evidence when nothing applies, and exits with 3', async () => {
    const report = await inFolder(
      {
        'idle.toml': `
[contract]
name = "Idle"
prompts = ["Hello?"]
[[contract.invariants]]
id = "only-when-models-fail"
type = "output_not_empty"
when = "llm_faults_active"
[[contract.chaos_matrix]]
name = "calm"
${SHOP_WORKFLOW}`,
      },
      (cwd) => runSuite({ cwd, workers: 0 }),
    );
    expect(onlyContract(report).reasons).toEqual(['No cell was judged.']);
    expect([report.gate.verdict, exitCode(report)]).toEqual(['insufficient', 3]);
  });

  test('shows the lowest disobeying trial with its answer, and a trace of it disobeys again', async () => {
    await inFolder({ 'shop.toml': aShopContract({ minPassRate: 1 }) }, async (cwd) => {
      const contract = onlyContract(await runSuite({ cwd, workers: 0 }));
      const cell = contract.cells.find(({ invariant, column }) => invariant === 'cites' && column === 'model-busy');
      const { evidence } = cell ?? {};
      expect(evidence).toEqual({
        prompt: expect.stringMatching(/^(How much is it|Is it in stock)\?$/),
        trial: expect.any(Number),
        answer: 'It is in stock and costs five, as far as anybody knows.',
        message: expect.stringContaining('"source"'),
        fired: expect.any(Array),
        replay: expect.stringMatching(
          /^passk trace shop\.toml --part 'Shop: model-busy, prompt [12]' --trial \d+ --seed 0$/,
        ),
      });
      const at = evidence?.prompt === 'How much is it?' ? 1 : 2;
      const trial = evidence?.trial ?? -1;
      const part = `model-busy, prompt ${at}`;
      const { result } = await traceTrial({ cwd, file: 'shop.toml', part, trial });
      expect(result.verdict).toBe('failed');
      expect(result.findings.map(({ check }) => check)).toContain('cites');
      if (trial > 0) {
        const before = await traceTrial({ cwd, file: 'shop.toml', part, trial: trial - 1 });
        expect(before.result.findings.map(({ check }) => check)).not.toContain('cites');
      }
    });
  });

  test('runs a bounded number of trials again for their answers, and says how many it left out', {
    timeout: 60_000,
  }, async () => {
    const columns = Array.from({ length: 203 }, (_, at) => `[[contract.chaos_matrix]]\nname = "calm-${at}"`);
    const text = `
[contract]
name = "Wide"
prompts = ["Hello?"]
[[contract.invariants]]
id = "never"
type = "contains"
value = "no answer says this"
${columns.join('\n')}
${SHOP_WORKFLOW}`;
    const report = await inFolder({ 'wide.toml': text }, (cwd) => runSuite({ cwd, workers: 0 }));
    const { cells } = onlyContract(report);
    expect(cells.map(({ state }) => state)).toEqual(cells.map(() => 'failed'));
    expect(cells.map(({ evidence }) => evidence?.answer === null)).toEqual(cells.map((_, at) => at >= 200));
    expect(new Set(cells.map(({ evidence }) => evidence?.message.startsWith('expected')))).toEqual(new Set([true]));
    expect(report.notices.filter(({ code }) => code === 'answers_left_out').map(({ message }) => message)).toEqual([
      '3 more disobeying trials are shown without the answer: at most 200 are run again.',
    ]);
  });

  test('is a report that can be written and read again', async () => {
    await inFolder({ 'shop.toml': aShopContract() }, async (cwd) => {
      const report = await runSuite({ cwd, workers: 0 });
      const file = path.join(cwd, 'report.json');
      await writeFileWhole(file, Buffer.from(renderReport(report, { reporter: 'json' })));
      expect(await readReport(file)).toEqual(report);
    });
  });

  test('holds the overall score to a bar where one is given', async () => {
    const above = await runShop({}, { minScore: 0.9 });
    const below = await runShop({}, { minScore: 0.95 });
    expect([above.gate.verdict, below.gate.verdict]).toEqual(['pass', 'fail']);
    expect(below.gate.reasons).toEqual(['overall score 0.90 is below its bar 0.95.']);
  });

  test('compares answers with what the same prompt gives while nothing goes wrong', async () => {
    const invariants = `
[[contract.invariants]]
id = "unchanged"
type = "behavior_unchanged"
baseline = "auto"
similarity_threshold = 0.9
severity = "low"
`;
    const report = await runShop({ invariants, trials: 400, prompts: ['How much is it?'] });
    const contract = onlyContract(report);
    const cells = contract.cells.filter(({ invariant }) => invariant === 'unchanged');
    // The clean answer is one of two; the search that is down gives a third.
    expect(cells.every(({ obeyed, judged }) => obeyed > 0 && obeyed < judged)).toBe(true);
    expect(contract.similarity).toBe('lexical cosine of words and character trigrams');
    expect(bytesOf(await runShop({ invariants, trials: 400, prompts: ['How much is it?'] }))).toBe(bytesOf(report));
  });

  test('asks for a written baseline where the outside world may answer, and runs nothing', async () => {
    const invariants = '[[contract.invariants]]\nid = "unchanged"\ntype = "behavior_unchanged"\n';
    await expect(runShop({ invariants }, { permissions: { net: true } })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('`baseline = "auto"` needs a workflow that the plan alone answers'),
      hint: expect.stringContaining('Write the answer to be like as `baseline`'),
    });
  });

  test('takes the clean answer of a subject with code of the user in a worker, and never runs that code here', async () => {
    const text = `
[contract]
name = "Loud"
prompts = ["Hello?"]
[[contract.invariants]]
id = "unchanged"
type = "behavior_unchanged"
[[contract.chaos_matrix]]
name = "calm"
[[contract.chaos_matrix]]
name = "down"
tool_faults = [{ tool = "ask", mode = "error" }]

[workflow]
inline = '''
name = "loud"
start_nodes = [{ name = "main", source = "manual", entry_node = "where" }]
nodes = [
  { id = "where", type = "template_render", template = "https://loud.example/" },
  { id = "ask", type = "http_request", method = "GET", url_from = "where.rendered" },
  { id = "loud", type = "shout", input_from = "ask.body" },
  { id = "echo", type = "shout", input_from = "trigger.prompt" },
]
edges = [
  { from = "where", to = "ask" },
  { from = "ask", to = "loud" },
  { from = "ask", to = "echo", when = "error" },
]
'''

[[world.http]]
method = "GET"
url = "https://loud.example/"
body = "good morning to you"
`;
    const plugin = fileURLToPath(new URL('fixtures/user-nodes.mjs', import.meta.url));
    const report = await inFolder({ 'loud.toml': text }, (cwd) => runSuite({ cwd, plugins: [plugin], workers: 1 }));
    const contract = onlyContract(report);
    expect(matrixOf(contract)).toEqual(['PF']);
    expect(contract.cells[1]?.evidence).toEqual({
      prompt: 'Hello?',
      trial: 0,
      answer: null,
      message: expect.stringContaining('GOOD MORNING TO YOU'),
      fired: ['tool ask: error'],
      replay: `passk trace loud.toml --part 'Loud: down, prompt 1' --trial 0 --seed 0 --plugin ${plugin}`,
    });
  });

  test('runs only contracts, or only scenarios, where one is asked for', async () => {
    const files = { 'shop.toml': aShopContract(), 'greeting.toml': aGreeting() };
    const [contracts, scenarios] = await inFolder(files, async (cwd) => [
      await runSuite({ cwd, workers: 0, only: 'contracts' }),
      await runSuite({ cwd, workers: 0, only: 'scenarios' }),
    ]);
    expect([contracts.summary.scenarios, contracts.results.length]).toEqual([0, 1]);
    expect([scenarios.summary.scenarios, scenarios.results]).toEqual([1, []]);
  });

  test('says what it leaves out of baselines, early stopping and enumeration', async () => {
    const report = await inFolder({ 'shop.toml': aShopContract() }, (cwd) =>
      runSuite({ cwd, workers: 0, saveBaseline: 'base.json', stopEarly: true, sampler: 'exhaustive' }),
    );
    expect(report.notices.filter(({ code }) => code === 'contracts_apart').map(({ message }) => message)).toEqual([
      'Contracts are not part of baselines and history: only scenarios are. A run of contracts alone leaves both as they are.',
      'Contracts ran all their trials: what is settled early are scenarios.',
      'Contracts were sampled: chaos is drawn, so their answers are not enumerated.',
    ]);
    expect(onlyContract(report).cells[0]?.judged).toBe(400);
  });
});

describe('a run of contracts alone', () => {
  test('neither compares, nor writes baselines and history, nor fails for it', async () => {
    const files = { 'shop.toml': aShopContract(), 'greeting.toml': aGreeting() };
    await inFolder(files, async (cwd) => {
      await runSuite({ cwd, workers: 0, saveBaseline: 'base.json', history: 'history' });
      const before = [
        readFileSync(path.join(cwd, 'base.json'), 'utf8'),
        (await readHistory('history', { cwd })).runs.length,
      ];
      const keeping = { baseline: 'base.json', saveBaseline: 'base.json', history: 'history' };
      const { drift, gate } = await runSuite({ cwd, workers: 0, only: 'contracts', ...keeping });
      expect([drift, gate.verdict]).toEqual([undefined, 'pass']);
      const after = [
        readFileSync(path.join(cwd, 'base.json'), 'utf8'),
        (await readHistory('history', { cwd })).runs.length,
      ];
      expect(after).toEqual(before);
      const whole = await runSuite({ cwd, workers: 0, ...keeping });
      expect([whole.drift?.verdict, whole.gate.verdict]).toEqual(['pass', 'pass']);
    });
  });
});

describe('a contract over workflows is the same bytes', () => {
  // More than one block of each part.
  const many: ShopChanges = { trials: 4200, prompts: ['How much is it?'] };
  const patient = { timeout: 120_000 };

  test('for 0, 1 and 2 workers', patient, async () => {
    const [inline, ...others] = await inFolder({ 'shop.toml': aShopContract(many) }, async (cwd) => [
      await runSuite({ cwd, workers: 0 }),
      await runSuite({ cwd, workers: 1 }),
      await runSuite({ cwd, workers: 2 }),
    ]);
    if (inline === undefined) throw new Error('Nothing ran.');
    expect(others.map(bytesOf)).toEqual([bytesOf(inline), bytesOf(inline)]);
  });

  test('for any number of shards, merged without the files', patient, async () => {
    const options = { workers: 0, seed: 7 };
    const whole = await runShop(many, options);
    for (const count of [1, 3]) {
      const shards = await inFolder({ 'shop.toml': aShopContract(many) }, async (cwd) => {
        const sources: ShardSource[] = [];
        for (let index = count; index >= 1; index--) {
          const { bytes } = await runShard({ ...options, cwd, shard: { index, count } });
          sources.push({ name: `${index}.shard`, bytes });
        }
        return sources;
      });
      const { report } = await mergeShards(shards);
      expect(bytesOf(report)).toBe(bytesOf(whole));
    }
  });

  test('for a run that was stopped and resumed', patient, async () => {
    await inFolder({ 'shop.toml': aShopContract(many) }, async (cwd) => {
      const whole = await runSuite({ cwd, workers: 0 });
      const stop = new AbortController();
      await runSuite({
        cwd,
        workers: 0,
        journal: { folder: 'journal' },
        signal: stop.signal,
        onProgress: ({ kind }) => {
          if (kind === 'progress') stop.abort();
        },
      });
      const resumed = await runSuite({ cwd, workers: 0, journal: { folder: 'journal', resume: true } });
      expect(bytesOf(resumed)).toBe(bytesOf(whole));
    });
  });
});
