import { describe, expect, test } from 'vitest';
import { exitCode } from '../../src/gate/exit-code.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import type { RunSuiteOptions } from '../../src/settings/options.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { inFolder, onlyContract } from './contract-runs.ts';

const SAYS = (text: string): string => `
[workflow]
inline = '''
name = "says"
start_nodes = [{ name = "main", source = "manual", entry_node = "say" }]
nodes = [{ id = "say", type = "template_render", template = "${text}" }]
'''
`;

function run(contract: string, text: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  const file = `[contract]\nname = "Rules"\n${contract}\n${SAYS(text)}`;
  return inFolder({ 'rules.toml': file }, (cwd) => runSuite({ cwd, workers: 0, ...options }));
}

const NOT_EMPTY = '[[contract.invariants]]\nid = "not-empty"\ntype = "output_not_empty"';
const SAYS_OK = '[[contract.invariants]]\nid = "says-ok"\ntype = "contains"\nvalue = "ok"';
const barless = ({ notices }: SuiteReport): readonly string[] =>
  notices.filter(({ code }) => code === 'no_bar').map(({ message }) => message);

describe('a contract without a critical invariant', () => {
  test('fails where nothing is obeyed, in its verdict, the gate and the exit code', async () => {
    const report = await run(`${NOT_EMPTY}\n${SAYS_OK}`, '');
    const { verdict, score, reasons } = onlyContract(report);
    expect([verdict, score, reasons]).toEqual(['failed', 0, ['No judged cell passed.']]);
    expect([report.gate.verdict, exitCode(report)]).toEqual(['fail', 1]);
  });

  test('passes where something is obeyed, and says that hardly anything fails it', async () => {
    const report = await run(`${NOT_EMPTY}\n${SAYS_OK}`, 'no');
    expect([onlyContract(report).verdict, onlyContract(report).score, exitCode(report)]).toEqual(['passed', 50, 0]);
    expect(barless(report)).toEqual([
      'Contract "Rules" (rules.toml) has no critical invariant and no bar: unless its score is 0 it passes.',
    ]);
  });

  test('is held to min_score of its file', async () => {
    const below = await run(`min_score = 0.6\n${NOT_EMPTY}\n${SAYS_OK}`, 'no');
    expect(below.gate.reasons).toEqual(['contract Rules failed.']);
    expect([exitCode(below), barless(below)]).toEqual([1, []]);
    expect(exitCode(await run(`min_score = 0.5\n${NOT_EMPTY}\n${SAYS_OK}`, 'no'))).toBe(0);
  });

  test('says which columns a filter left out, whose score and verdict are those of the others', async () => {
    const columns =
      '[[contract.chaos_matrix]]\nname = "calm"\n[[contract.chaos_matrix]]\nname = "down"\nprofile = "api_outage"';
    const leftOut = ({ notices }: SuiteReport): readonly string[] =>
      notices.filter(({ code }) => code === 'columns_left_out').map(({ message }) => message);
    const contract = `${NOT_EMPTY}\n${columns}`;
    expect(leftOut(await run(contract, 'ok', { names: ['calm'] }))).toEqual([
      'Contract "Rules" (rules.toml) ran in 1 of 2 columns; left out: down.',
    ]);
    expect(leftOut(await run(contract, 'ok', { names: ['Rules'] }))).toEqual([]);
  });

  test('says nothing of it where the run brings a bar', async () => {
    expect(barless(await run(`${NOT_EMPTY}\n${SAYS_OK}`, 'no', { minScore: 0.1 }))).toEqual([]);
    expect(barless(await run(`${NOT_EMPTY}\nseverity = "critical"`, 'ok'))).toEqual([]);
  });
});
