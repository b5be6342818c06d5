import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { auditSet, READING_TOOLS, renderSetAudit, type SetAudit, setAuditExitCode } from '../../src/index.ts';
import { folderWith, tauText } from './recordings/tau-runs.ts';

const ROUTER = (values: string): string => `trials = 20

[workflow]
inline = '''
name = "router"

[[start_nodes]]
name = "main"
source = "manual"
entry_node = "ask"

[[nodes]]
id = "ask"
type = "llm_infer"
backend = "default"
prompt = "Where does the parcel go?"
'''

[[intel.turns]]
variants = [{ content = "to Lyon" }]

[expected]
status = "completed"
${values}
`;

const CONTRACT = `
[contract]
name = "desk"
prompts = ["What does the blue mug cost?"]
[[contract.invariants]]
id = "price"
type = "regex"
pattern = '\\$\\d'
[[contract.chaos_matrix]]
name = "calm"
[agent]
endpoint = "http://127.0.0.1:1/ask"
stateless = true
`;

/** A session in which 12 euros are to be taken. */
const TILL = (name: string): string => `name = "${name}"
trials = 3
[session]
[state]
paid = []
[[tools]]
name = "pay"
parameters = { properties = { cents = { type = "integer" } }, required = ["cents"] }
steps = [{ append = ["paid"], value = "{{args.cents}}" }]
[[tasks]]
name = "pay"
user = { opening = "12 euros, please." }
gold = { calls = [{ tool = "pay", args = { cents = 1200 } }] }
agents = [{ name = "till", turns = [{ says = "Thank you." }] }]
`;

const WORLD = `export default {
  state: { paid: [] },
  tools: {
    pay: {
      parameters: { properties: { cents: { type: 'integer' } } },
      run(state, { cents }) { state.paid.push(cents); return { ok: true }; },
    },
  },
};`;

const named = ({ tasks }: SetAudit) => Object.fromEntries(tasks.map(({ name, passedBy }) => [name, passedBy]));

describe('auditSet', () => {
  it('puts trivial answers in place of the turns of workflows, and has the scenarios as written pass', async () => {
    const cwd = folderWith({
      'right.toml': `name = "right"\n${ROUTER('values = [{ node = "ask", path = "content", equals = "to Lyon" }]')}`,
      'loose.toml': `name = "loose"\n${ROUTER('values = [{ node = "ask", path = "content", contains = "Lyon" }]')}`,
      'empty.toml': `name = "empty"\n${ROUTER('')}`,
      'again.toml': `name = "again"\n${ROUTER('')}`,
      'wrong.toml': `name = "wrong"\n${ROUTER('values = [{ node = "ask", path = "content", equals = "to Paris" }]')}`,
      'echo.toml': `name = "echo"\n${ROUTER('values = [{ node = "ask", path = "content", contains = "parcel" }]')}`,
    });
    const audit = await auditSet({ cwd, paths: ['.'], workers: 0 });
    const all = ['null', 'echo', 'refusal', 'everything'];
    expect(named(audit)).toEqual({
      again: all,
      echo: ['echo', 'everything'],
      empty: all,
      loose: ['everything'],
      right: [],
      wrong: [],
    });
    expect(audit.trivial.map(({ passed, rate, isTooMany }) => [passed, rate, isTooMany])).toEqual([
      [2, 1 / 3, true],
      [3, 0.5, true],
      [2, 1 / 3, true],
      [4, 2 / 3, true],
    ]);
    expect(audit.gold).toEqual({ tasks: 6, passed: 4, rate: 2 / 3 });
    expect(audit.duplicates.map((places) => places.map((at) => audit.tasks[at]?.name))).toEqual([['again', 'empty']]);
    expect(setAuditExitCode(audit)).toBe(1);
  });

  it('puts trivial answers in place of agents, which are not asked', async () => {
    const cwd = folderWith({
      'desk.toml': CONTRACT,
      'talk.toml': CONTRACT.replace('"desk"', '"talk"').replace(/type = "regex"\n.*/, 'type = "output_not_empty"'),
    });
    const audit = await auditSet({ cwd, paths: ['.'], workers: 0 });
    expect(audit.tasks.map(({ kind, gold, passedBy }) => [kind, gold, passedBy])).toEqual([
      ['agent', 'unknown', []],
      ['agent', 'unknown', ['echo', 'refusal', 'everything']],
    ]);
    expect(audit.gold).toEqual({ tasks: 0, passed: 0, rate: null });
  });

  it('judges tasks of recorded runs by their gold calls, and names failures of order alone', async () => {
    const runs = [
      { task: 'look', trial: 0, reward: 1, calls: ['get_order'], gold: ['get_order'] },
      { task: 'tell', trial: 0, reward: 1, calls: ['get_sum'], says: 'It is 1,234.', gold: [], outputs: ['1234'] },
      { task: 'two', trial: 0, reward: 1, calls: ['cancel', 'get_order', 'refund'], gold: ['cancel', 'refund'] },
      { task: 'two', trial: 1, reward: 0, calls: ['refund', 'cancel'], gold: ['cancel', 'refund'] },
      { task: 'bad', trial: 0, reward: 0, calls: ['cancel'], gold: ['cancel'] },
      { task: 'none', trial: 0, reward: 1 },
    ];
    const cwd = folderWith({ 'runs.json': tauText(runs) });
    const audit = await auditSet({ cwd, paths: ['runs.json'] });
    expect(
      audit.tasks.map(({ name, gold, orderOnly, notJudged, passedBy }) => [
        name,
        gold,
        orderOnly.failed,
        notJudged,
        passedBy,
      ]),
    ).toEqual([
      ['bad', 'failed', 0, null, []],
      ['look', 'passed', 0, null, ['null', 'echo', 'refusal', 'everything']],
      ['none', 'unknown', 0, 'its source names no gold calls', []],
      ['tell', 'passed', 0, null, ['everything']],
      ['two', 'passed', 1, null, []],
    ]);
    expect(renderSetAudit(audit, { columns: 200 })).toBe(
      [
        'too many  says nothing            passes 1 of 4 tasks (0.25; allowed: 0.05)',
        'too many  says what it is asked   passes 1 of 4 tasks (0.25; allowed: 0.05)',
        'too many  refuses                 passes 1 of 4 tasks (0.25; allowed: 0.05)',
        'too many  says every known text   passes 2 of 4 tasks (0.50; allowed: 0.05)',
        'failed    gold answers            pass 3 of 4 tasks; of 1 task nobody can tell',
        '',
        'Passed by doing nothing: look (null, echo, refusal, everything), tell (everything)',
        '',
        'Gold answers fail: bad',
        '',
        'ORDER_ONLY: runs made the gold calls in another order: two (0 passed, 1 failed)',
        '',
        'No trivial subject was tried on 1 of 5 tasks: none (its source names no gold calls)',
        '',
        `Tools that only read: ${audit.bounds.reads.join(', ')}.\n--reads names others.`,
        '',
      ].join('\n'),
    );
    expect(audit.bounds.reads).toEqual(READING_TOOLS);
    const strict = await auditSet({ cwd, paths: ['runs.json'], reads: [], maxTrivial: 1 });
    expect(strict.tasks.map(({ passedBy }) => passedBy.length)).toEqual([0, 0, 0, 1, 0]);
  });

  it('tries sessions whose tools fail and whose users a model plays, and names those that need code', async () => {
    const cwd = folderWith({
      'chaos.toml': `${TILL('chaos')}[[chaos.tool_faults]]\ntool = "pay"\nmode = "error"\n`,
      'played.toml': TILL('played').replace('opening = "12', 'model = "shopper", goal = "12'),
      'told.toml': `${TILL('told')}[[tasks.assert]]\nname = "thanks"\nsays = "Thank you"\n`,
      'coded.toml': TILL('coded')
        .replace(/\[state\][\s\S]*?\[\[tasks/, '[[tasks')
        .replace('[session]', '[session]\nworld = "w.mjs"'),
      'ruled.toml': `${TILL('ruled')}[tasks.expected]\nchecks = [{ module = "rules.mjs" }]\n`,
      'judged.toml': `${TILL('judged')}[tasks.expected]\njudges = ["kind"]\n`,
      'w.mjs': WORLD,
      'rules.mjs': 'export default () => true;',
    });
    const audit = await auditSet({ cwd, paths: ['.'], workers: 0 });
    expect(audit.tasks.map(({ name, notJudged, passedBy, gold }) => [name, notJudged, passedBy, gold])).toEqual([
      ['chaos: pay', null, [], 'passed'],
      ['coded: pay', 'its world is a module, which --allow-run runs', [], 'unknown'],
      ['judged: pay', 'a model judges it', [], 'unknown'],
      ['played: pay', null, [], 'passed'],
      ['ruled: pay', 'a module judges it, which --allow-run runs', [], 'unknown'],
      ['told: pay', null, [], 'passed'],
    ]);
    expect(renderSetAudit(audit).replace(/\s+/g, ' ')).toContain(
      'No trivial subject was tried on 3 of 6 tasks: coded: pay (its world is a module, which --allow-run runs), judged: pay (a model judges it)',
    );
    const granted = await auditSet({
      cwd,
      paths: ['coded.toml', 'ruled.toml'],
      workers: 0,
      permissions: { run: true },
    });
    expect(granted.tasks.map(({ notJudged, passedBy, gold }) => [notJudged, passedBy, gold])).toEqual([
      [null, [], 'passed'],
      [null, [], 'passed'],
    ]);
  });

  it('says of a contract, which has no gold answers, that there is none to judge', async () => {
    const audit = await auditSet({ cwd: folderWith({ 'desk.toml': CONTRACT }), paths: ['desk.toml'] });
    expect(renderSetAudit(audit, { columns: 200 })).toContain(
      'none      gold answers            no task has any that could be judged\n',
    );
    expect(setAuditExitCode(audit)).toBe(0);
  });

  it('without anything to judge tells nothing, and refuses bounds that cannot be', async () => {
    const cwd = folderWith({ 'runs.json': tauText([{ task: 'a', trial: 0, reward: 1 }]) });
    const audit = await auditSet({ cwd, paths: ['runs.json'] });
    expect([setAuditExitCode(audit), audit.trivial[0]?.rate]).toEqual([3, null]);
    await expect(auditSet({ cwd, paths: ['runs.json'], maxTrivial: 2 })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(auditSet({ cwd, paths: [] })).rejects.toMatchObject({ code: 'USAGE' });
    writeFileSync(path.join(cwd, 'runs.json'), 'nothing');
    await expect(auditSet({ cwd, paths: ['runs.json'] })).rejects.toMatchObject({ code: 'INPUT' });
  });
});

test('a rule in code judges subjects that do nothing, as a rule of the file does, where it is granted', async () => {
  const contract = CONTRACT.replace(/type = "regex"\n.*/, 'type = "module"\nmodule = "rules.mjs"');
  const rules = "export default ({ text }) => text.length < 40 || 'It is long.';";
  const cwd = folderWith({ 'desk.toml': contract, 'rules.mjs': rules });
  const { trivial } = await auditSet({ cwd, paths: ['desk.toml'], permissions: { run: ['rules.mjs'] } });
  expect(trivial.find(({ subject }) => subject === 'null')).toMatchObject({ tasks: 1, passed: 1, isTooMany: true });
  await expect(auditSet({ cwd, paths: ['desk.toml'] })).rejects.toMatchObject({
    message: expect.stringContaining('rules.mjs needs --allow-run='),
  });
});

const TAU = fileURLToPath(new URL('../../../shared/reference/traces/tau-bench', import.meta.url));

test.skipIf(!existsSync(TAU))('of four tasks of τ-bench a subject that does nothing passes number 12', async () => {
  const audit = await auditSet({ paths: [TAU] });
  expect(audit.tasks.map(({ name, passedBy, gold }) => [name, passedBy.length, gold])).toEqual([
    ['1', 0, 'passed'],
    ['12', 4, 'passed'],
    ['2', 0, 'passed'],
    ['5', 0, 'unknown'],
  ]);
  expect(audit.trivial[0]).toEqual({ subject: 'null', tasks: 4, passed: 1, rate: 0.25, isTooMany: true });
});
