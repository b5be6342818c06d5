import { describe, expect, test } from 'vitest';
import { renderReport, runSuite, type RunSuiteOptions, type SuiteReport } from '../../src/index.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { inFolder, matrixOf, onlyContract } from './contract-runs.ts';
import { aShopContract } from './shop-contract.ts';

const RULES = `
export const isShort = ({ text }) => text.length < 40 || text.length + ' characters';
export const isLong = ({ text, prompt }) => [
  { name: 'is asked', passed: typeof prompt === 'string' },
  { name: 'is long', passed: text.length >= 40, reason: 'It has ' + text.length + ' characters.' },
];
export const fails = () => { throw new Error('no key'); };
`;

/** A rule of a contract that a function of the module judges. */
const ruleOf = (exported: string, more = ''): string => `
[[contract.invariants]]
id = "${exported}"
type = "module"
module = "rules.mjs"
export = "${exported}"
${more}`;

const GRANTED = { run: ['rules.mjs'] };

function judged(invariants: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  const files = { 'shop.toml': aShopContract({ invariants }), 'rules.mjs': RULES };
  return inFolder(files, (cwd) => runSuite({ cwd, workers: 1, permissions: GRANTED, ...options }));
}

describe('a rule that is a module', () => {
  test('judges each answer as a rule of the file does, with a reason of its own, whoever runs the trials', async () => {
    const both = `${ruleOf('isShort')}${ruleOf('isLong', 'negate = true')}
[[contract.invariants]]
id = "pattern"
type = "regex"
pattern = '^.{0,39}$'`;
    const report = await judged(both);
    const contract = onlyContract(report);
    const [short, long, pattern] = matrixOf(contract).slice(-3);
    expect([short, long]).toEqual([pattern, pattern]);
    expect(pattern).toContain('F');
    const failed = contract.cells.filter(({ state, invariant }) => state === 'failed' && invariant === 'isShort');
    expect(failed.map(({ evidence }) => evidence?.message)).toEqual(failed.map(() => '54 characters'));
    const bytes = (one: SuiteReport): string => renderReport(one, { reporter: 'json', timing: false });
    expect(bytes(await judged(both, { workers: 2 }))).toBe(bytes(report));
  });

  test('that fails breaks trials, and says nothing of the workflow', async () => {
    const [cell] = onlyContract(await judged(ruleOf('fails'))).cells.filter(({ invariant }) => invariant === 'fails');
    expect(cell?.state).toBe('broken');
  });

  test('judges an agent that is asked over HTTP', async () => {
    const server = await anHttpServer((_request, response) => response.end('A short answer.'));
    const contract = `golden_prompts = ["Who are you?"]
[agent]
endpoint = "${server.origin}/ask"
stateless = true
[contract]
name = "agent"
trials = 3
${ruleOf('isShort')}${ruleOf('isLong')}
[[contract.chaos_matrix]]
name = "calm"
`;
    await inFolder({ 'a.toml': contract, 'rules.mjs': RULES }, async (cwd) => {
      const permissions = { ...GRANTED, net: ['127.0.0.1'] };
      const { cells } = onlyContract(await runSuite({ cwd, workers: 1, permissions }));
      expect(cells.map(({ state, evidence }) => [state, evidence?.message, evidence?.answer])).toEqual([
        ['passed', undefined, undefined],
        ['failed', 'is long: It has 15 characters.', 'A short answer.'],
      ]);
      await expect(runSuite({ cwd, workers: 1, permissions: { net: ['127.0.0.1'] } })).rejects.toMatchObject({
        message: expect.stringContaining('rules.mjs needs --allow-run='),
      });
      await expect(runSuite({ cwd, permissions, record: 'a.cassette' })).rejects.toMatchObject({
        message: 'a.toml has checks that are modules, which no replay runs.',
      });
    });
  });

  test('that is not there is told where the contract names it', async () => {
    const files = { 'shop.toml': aShopContract({ invariants: ruleOf('isShort') }) };
    await inFolder(files, async (cwd) => {
      await expect(runSuite({ cwd, permissions: GRANTED })).rejects.toMatchObject({
        issues: [
          expect.objectContaining({
            message: 'There is no module "rules.mjs".',
            hint: 'Paths start at the folder of this file.',
          }),
        ],
      });
    });
  });
});
