import { describe, expect, test } from 'vitest';
import type { EvalBody } from '../../src/types/release/eval-body.ts';
import { brief } from '../source/parsed.ts';
import { suiteIn } from '../suites/contract/contracts-in.ts';
import { aCase, ATTACK, inReleaseFolder, REVIEWED } from './a-release.ts';
import { tauRuns, tauText } from '../suite/recordings/tau-runs.ts';

const STATED = `suite = "validation"
provenance.refreshed = "2026-11-20"
provenance.review = { by = "ana", at = "2026-11-20", release = "1" }
`;
const ORIGIN = {
  suite: 'validation',
  refreshed: '2026-11-20',
  review: { by: 'ana', at: '2026-11-20', release: '1' },
};

const AGENT = `
golden_prompts = ["One?"]
[contract]
name = "quiet"
[[contract.invariants]]
id = "no-leak"
type = "excludes_pattern"
patterns = ["secret"]
[agent]
endpoint = "http://127.0.0.1:9/ask"
`;

const MODEL = `
[model]
name = "local/small"
provider = "openai-compatible"
base_url = "http://127.0.0.1:9/v1"
[[model.tests]]
name = "hello"
validators = ["text-includes:hello"]
[model.tests.input]
messages = []
`;

/** A contract that holds where its workflow ends at this node. */
const contract = (top: string, wanted = 'done'): string => `${top}
[workflow]
inline = '''
name = "one"
start_nodes = [{ name = "main", source = "manual" }]
nodes = [{ id = "done", type = "terminate" }]
'''
[contract]
name = "ends"
[[contract.invariants]]
id = "there"
type = "completes"
${wanted === 'done' ? '' : 'negate = true'}
`;

test.each([
  ['an agent', 'agent.toml', AGENT],
  ['a model', 'model.toml', MODEL],
  ['a workflow', 'workflow.toml', contract('')],
])('the file of a contract or model about %s says which suite it belongs to', async (_what, file, text) => {
  const { suite } = await suiteIn({ [file]: `${STATED}${text}` });
  expect(brief(suite.issues.filter(({ severity }) => severity === 'error'))).toEqual([]);
  expect(suite.scenarios.length).toBeGreaterThan(0);
  for (const { origin } of suite.scenarios) expect(origin).toEqual(ORIGIN);
  const wrong = await suiteIn({ [file]: `suite = "golden"\n${text}` });
  expect(wrong.suite.issues.some(({ severity }) => severity === 'error')).toBe(true);
});

describe('a contract of a release', () => {
  /** The release of a scenario, an attack and a contract. */
  async function withContract(text: string, rules: object = {}): Promise<EvalBody> {
    let found: EvalBody | null = null;
    await inReleaseFolder(async ({ run, write }) => {
      await write('contract.toml', text);
      const governed = { governed: true, trials: 2, suites: ['validation', 'adversarial'] as const, ...rules };
      const scenarios = [aCase('good', REVIEWED), aCase('attack', ATTACK)];
      found = (await run({ paths: ['contract.toml'], scenarios, rules: governed })).body;
    });
    return found ?? expect.fail('there is no body');
  }

  const findings = ({ governance }: EvalBody) => governance.map(({ code, scenarios }) => [code, ...scenarios]);

  test('is governed as a scenario is, where its file says a suite', async () => {
    const body = await withContract(contract('suite = "validation"'));
    expect(body.results).toEqual([
      { kind: 'contract', name: 'ends', verdict: 'passed', suite: 'validation', origin: {} },
    ]);
    expect(findings(body)).toEqual([['UNREVIEWED', 'ends']]);
    expect(findings(await withContract(contract('')))).toEqual([]);
    const stale = await withContract(contract('suite = "adversarial"'), { maxAgeDays: { adversarial: 31 } });
    expect(findings(stale)).toEqual([['STALE_ADVERSARIAL', 'ends']]);
  });

  test('fails the axis of its suite, or none', async () => {
    const verdicts = async (top: string) => {
      const { axes } = await withContract(contract(top, 'never'), { suites: ['validation', 'stress'] });
      return [axes.outcome.verdict, axes.safety.verdict];
    };
    expect(await verdicts('')).toEqual(['fail', 'pass']);
    expect(await verdicts('suite = "regression"')).toEqual(['fail', 'pass']);
    expect(await verdicts('suite = "adversarial"')).toEqual(['pass', 'fail']);
    expect(await verdicts('suite = "stress"')).toEqual(['pass', 'pass']);
  });

  test('is the test material of a suite that the tier asks for', async () => {
    const suites = ['validation', 'stress'];
    expect(findings(await withContract(contract(''), { suites }))).toEqual([['MISSING_SUITE']]);
    expect(findings(await withContract(contract('suite = "stress"'), { suites }))).toEqual([]);
  });
});

test('attacks that other programs recorded are stale 32 days after they were renewed, and where nobody says when', async () => {
  await inReleaseFolder(async ({ run, write }) => {
    await write('runs.json', tauText(tauRuns({ a: 2 }, 2)));
    const codes = async (refreshed: string): Promise<readonly string[]> => {
      const provenance = refreshed === '' ? '' : `[provenance]\nrefreshed = "${refreshed}"\n`;
      const head = `name = "attacks"\nsuite = "adversarial"\n[attack]\nowasp = ["ASI01"]\n${provenance}`;
      await write('attacks.toml', `${head}[recording]\nfiles = ["runs.json"]\n`);
      const { body } = await run({
        paths: ['attacks.toml'],
        scenarios: [aCase('good', REVIEWED)],
        rules: { governed: true, maxAgeDays: { adversarial: 31 } },
      });
      return body.governance.map(({ code }) => code);
    };
    expect(await codes('2026-10-25')).toEqual([]);
    expect(await codes('2026-10-24')).toEqual(['STALE_ADVERSARIAL']);
    expect(await codes('')).toEqual(['STALE_ADVERSARIAL']);
  });
});
