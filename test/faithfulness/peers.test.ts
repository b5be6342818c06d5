import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { runSuite, type SampledScenario, type SuiteReport } from '../../src/index.ts';
import { scoreClaims } from '../../src/faithfulness/score-claims.ts';
import { pythonOf, skipsWithout } from '../importers/a-python.ts';

const PYTHON = pythonOf('python-inspect');
const peer = (name: string): string => fileURLToPath(new URL(`peers/${name}`, import.meta.url));
const cwd = mkdtempSync(path.join(tmpdir(), 'passk-peers-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Where a package of that Python is; '': it is not there. */
function installed(name: string): string {
  const lib = path.resolve(PYTHON, '../../lib');
  try {
    return path.join(lib, readdirSync(lib)[0] ?? '', 'site-packages', name);
  } catch {
    return '';
  }
}

interface Recorded {
  readonly answer: string;
  readonly contexts: readonly string[];
  readonly claims: readonly { readonly text: string; readonly supported: boolean }[];
}

test.skipIf(skipsWithout('ragas', installed('ragas')))(
  'the score of claims is that of ragas on the same recorded verdicts, and null where ragas gives NaN',
  async () => {
    const verdicts = fc.sample(fc.array(fc.boolean(), { maxLength: 12 }), { numRuns: 40, seed: 7 });
    const rows = [[], [false], [true, false, true, true], ...verdicts].map(
      (list): Recorded => ({
        answer: 'It is.',
        contexts: ['It is.'],
        claims: list.map((supported, at) => ({ text: `claim ${at}`, supported })),
      }),
    );
    const theirs = execFileSync(PYTHON, [peer('ragas_faithfulness.py')], {
      input: JSON.stringify(rows),
      encoding: 'utf8',
    })
      .trimEnd()
      .split('\n');
    const ours = await Promise.all(
      rows.map(async ({ answer, contexts, claims }) => {
        const splitter = { split: () => claims.map(({ text }) => text) };
        const verifier = { method: 'recorded', verify: () => claims.map(({ supported }) => supported) };
        return (await scoreClaims({ answer, contexts, splitter, verifier })).score;
      }),
    );
    expect(ours).toEqual(theirs.map((score) => (score === 'nan' ? null : Number(score))));
    expect(ours.slice(0, 3)).toEqual([null, 0, 0.75]);
  },
);

const DESK = `name = "desk"
trials = 6
min_pass_rate = 0
[session]
[state]
[[tools]]
name = "policy"
steps = []
result = "Pets are not allowed in the hall."
[[tasks]]
name = "pets"
user = { opening = "May I bring my dog?" }
agents = [{ name = "a", turns = [{ calls = [{ tool = "policy" }], says = "Pets are not allowed. Ducks swim for free." }] }]
[tasks.expected]
faithful = { judge = "scored" }
`;

test.skipIf(skipsWithout('scikit-learn', installed('sklearn')))(
  'a vectoriser of scikit-learn behind an embeddings server verifies claims, by the cosines that scikit-learn computes',
  async () => {
    writeFileSync(path.join(cwd, 'desk.toml'), DESK);
    const server = spawn(PYTHON, [peer('vectoriser.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const [baseUrl = ''] = (await once(createInterface({ input: server.stdout }), 'line')) as string[];
      const run = (provider: 'embeddings' | 'rerank'): Promise<SuiteReport> =>
        runSuite({
          cwd,
          paths: ['desk.toml'],
          workers: 0,
          judges: [{ name: 'scored', models: ['words'], verifies: true, minScore: 0.5, threshold: 0.6 }],
          models: { words: { provider, model: 'hashing', baseUrl } },
        });
      const claims = async (provider: 'embeddings' | 'rerank') => {
        const { trials, judges } = (await run(provider)).scenarios[0] as SampledScenario;
        expect(trials).toMatchObject({ passed: 6, broken: 0 });
        return judges?.[0]?.claims;
      };
      const [ours, theirs] = [await claims('embeddings'), await claims('rerank')];
      // Four of seven words, and none: the cosine is 4 / √(4 · 7).
      expect(ours).toMatchObject({ verified: 12, supported: 6, score: 0.5 });
      expect(ours?.pairScore).toBeCloseTo(4 / Math.sqrt(28) / 2, 5);
      expect(theirs).toEqual(ours);
    } finally {
      server.stdin.end();
      await once(server, 'close');
    }
  },
);
