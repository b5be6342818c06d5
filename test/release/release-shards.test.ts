import { describe, expect, test } from 'vitest';
import type { ShardSource } from '../../src/records/read-shard.ts';
import type { RunReleaseOptions } from '../../src/release/run-release.ts';
import { runReleaseShard } from '../../src/release/run-release-shard.ts';
import { verifyRelease } from '../../src/release/verify-release.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import { runShard } from '../../src/suite/run-shard.ts';
import { canonicalJson } from '../../src/values/canonical-json.ts';
import type { JsonObject } from '../../src/types/json.ts';
import type { EvalResult } from '../../src/types/release/eval-result.ts';
import { tauRuns, tauText } from '../suite/recordings/tau-runs.ts';
import { aLiveScenario, aRouter } from '../suite/scenarios.ts';
import { aCase, ATTACK, inReleaseFolder, LENIENT, type ReleaseFolder, REVIEWED } from './a-release.ts';

/** Half of its answers are wrong, and each trial is drawn by itself. */
const DRAWN = aRouter({ name: 'drawn', ...REVIEWED, minPassRate: 0.2 });
const SCENARIOS = [
  DRAWN,
  aCase('good', REVIEWED),
  aCase('attack', ATTACK),
  aRouter({ name: 'exact', ...REVIEWED, sampler: 'exhaustive', minPassRate: 0.2 }),
];
/** More than a block of trials. */
const RULES = { trials: 4500 };

const CONTRACT = `suite = "validation"
[contract]
name = "way"
trials = 600
prompts = ["Hi"]
[[contract.invariants]]
id = "way"
type = "contains"
value = "way"
[[contract.chaos_matrix]]
name = "calm"
[workflow]
inline = '''
name = "flow"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [
  { id = "ask", type = "llm_infer", backend = "default", prompt = "Which way?" },
  { id = "reply", type = "respond", body_template = "{{content}}", content_type = "text/plain", input_from = "ask" },
]
edges = [{ from = "ask", to = "reply" }]
'''
[[intel.turns]]
content = "a way"
`;

/** The material of a release of every kind: scenarios, an enumeration, a contract and recorded runs. */
async function material({ write }: ReleaseFolder): Promise<Partial<RunReleaseOptions>> {
  await write('way.toml', CONTRACT);
  await write('runs.json', tauText(tauRuns({ a: 2, b: 1 }, 3)));
  return { scenarios: SCENARIOS, paths: ['way.toml'], recordings: ['runs.json'], rules: RULES, seed: 5 };
}

async function shardsOf(
  { folder }: ReleaseFolder,
  count: number,
  { workers = 0, tier = 'dev', ...options }: Partial<RunReleaseOptions>,
): Promise<readonly ShardSource[]> {
  const shards: ShardSource[] = [];
  for (let index = 1; index <= count; index++) {
    const { bytes } = await runReleaseShard({
      cwd: folder,
      workers,
      tier,
      ...options,
      rules: { ...LENIENT, ...options.rules },
      shard: { index, count },
    });
    shards.push({ name: `${index}.shard`, bytes });
  }
  return shards;
}

const bytesOf = ({ body }: EvalResult): string => canonicalJson(body as unknown as JsonObject);

describe('a release in parts', () => {
  test('has the body of one process, byte by byte, for any number of workers and shards', async () => {
    await inReleaseFolder(async (folder) => {
      const options = await material(folder);
      const whole = await folder.run(options);
      expect(whole.body.counts.passed).toBeGreaterThan(10_000);
      expect(whole.body.results.map(({ kind }) => kind)).toEqual(['contract', 'enumeration']);
      const bytes = bytesOf(whole);
      for (const workers of [1, 2]) expect(bytesOf(await folder.run({ ...options, workers }))).toBe(bytes);
      for (const [count, workers] of [
        [2, 0],
        [3, 0],
        [2, 2],
      ] as const) {
        const shards = await shardsOf(folder, count, { ...options, workers });
        const merged = await folder.run({ ...options, shards: [...shards].reverse(), out: 'merged.json' });
        expect([count, bytesOf(merged)]).toEqual([count, bytes]);
        expect(merged.bodyHash).toBe(whole.bodyHash);
      }
      expect(await folder.read('merged.json.trials')).toBe(await folder.read('release.json.trials'));
      const { holds } = await verifyRelease({ record: 'merged.json', cwd: folder.folder, recompute: true });
      expect(holds).toBe(true);
    });
  });

  test('runs nothing where it is merged, and shows its report', async () => {
    await inReleaseFolder(async (folder) => {
      let asked = 0;
      const nodes = {
        look_up: {
          reads: ['keyFrom'],
          labels: ['found'],
          run: () => {
            asked += 1;
            return { output: { found: 'A' }, branch: 'found' };
          },
        },
      };
      const live = aLiveScenario({ ...REVIEWED, trials: 4 });
      const options = { scenarios: [live, aCase('attack', ATTACK)], nodes };
      const shards = await shardsOf(folder, 2, options);
      const before = asked;
      const reports: unknown[] = [];
      const merged = await folder.run({ ...options, shards, onReport: (report) => void reports.push(report) });
      expect([before, asked]).toEqual([4, 4]);
      expect(reports).toMatchObject([
        { scenarios: [{ name: 'live' }, { name: 'attack' }], release: { verdict: merged.body.verdict } },
      ]);
      expect(bytesOf(await folder.run({ ...options, out: 'whole.json' }))).toBe(bytesOf(merged));
    });
  });

  test('takes records as evidence beside its shards', async () => {
    await inReleaseFolder(async (folder) => {
      await folder.run({ scenarios: [aCase('attack', ATTACK)], out: 'attack.json' });
      const options = { scenarios: [aCase('good', REVIEWED)] };
      const shards = await shardsOf(folder, 2, options);
      const records = ['attack.json'];
      const merged = await folder.run({ ...options, shards, records });
      expect(bytesOf(merged)).toBe(bytesOf(await folder.run({ ...options, records, out: 'one.json' })));
    });
  });
});

describe('shards are refused', () => {
  const refusal = async (
    ours: Partial<RunReleaseOptions>,
    theirs: (folder: ReleaseFolder) => Promise<readonly ShardSource[]>,
  ): Promise<string> => {
    let message = '';
    await inReleaseFolder(async (folder) => {
      const shards = await theirs(folder);
      const error = await folder.run({ ...ours, shards }).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: 'INPUT' });
      message = (error as Error).message;
    });
    return message;
  };
  const GOOD = { scenarios: [aCase('good', REVIEWED), aCase('attack', ATTACK)] };

  test.each<[string, Partial<RunReleaseOptions>, RegExp]>([
    [
      'of other contents',
      { scenarios: [aCase('good', REVIEWED, 'right'), aCase('attack', ATTACK)] },
      /"good" had other/,
    ],
    ['of other scenarios', { scenarios: [aCase('other', REVIEWED), aCase('attack', ATTACK)] }, /it lacks .*"good"/],
    ['of another seed', { ...GOOD, seed: 7 }, /its seed is 7, not 0/],
    ['of another tier', { ...GOOD, tier: 'internal' }, /it has 8 trials of "good", not 4/],
  ])('%s', async (_, options, message) => {
    expect(await refusal(GOOD, (folder) => shardsOf(folder, 2, options))).toMatch(message);
  });

  test('that are not all there, and those of another number of parts', async () => {
    const first = async (folder: ReleaseFolder) => (await shardsOf(folder, 2, GOOD)).slice(0, 1);
    expect(await refusal(GOOD, first)).toBe('Shard 2 of 2 is missing.');
    // No flag makes a record of a part.
    await inReleaseFolder(async (folder) => {
      await expect(folder.run({ ...GOOD, shards: await first(folder) })).rejects.toMatchObject({
        hint: 'Name the files of all shards.',
      });
    });
    const mixed = async (folder: ReleaseFolder) => [...(await first(folder)), ...(await shardsOf(folder, 3, GOOD))];
    expect(await refusal(GOOD, mixed)).toContain('1.shard: it is shard 1 of 2, the others are of 3');
    expect(await refusal(GOOD, async () => [{ name: 'none.shard', bytes: new Uint8Array([1, 2, 3]) }])).toContain(
      'none.shard',
    );
  });

  test('that keep no row of each trial, as those of a run of the suite', async () => {
    const plain = async ({ folder }: ReleaseFolder) => {
      const { bytes } = await runShard({ cwd: folder, workers: 0, ...GOOD, trials: 4, shard: { index: 1, count: 1 } });
      // It is whole for whoever merges runs.
      expect((await mergeShards([{ name: 'plain.shard', bytes }])).report.gate.verdict).toBe('pass');
      return [{ name: 'plain.shard', bytes }];
    };
    expect(await refusal(GOOD, plain)).toMatch(/plain.shard is no part of this run/);
  });
});
