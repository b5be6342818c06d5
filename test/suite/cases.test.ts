import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defineScenario, explainScenario, loadSuite, runSuite, traceFailures, traceTrial } from '../../src/index.ts';
import { sampled } from '../support/sampled.ts';

const FLOW = `
[workflow]
inline = '''
name = "w"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [{ id = "ask", type = "llm_infer", backend = "default", prompt = "{{case.question}}{{question}}", input_from = "trigger" }]
edges = []
'''
`;
const ANSWERS = `name = "answers"
trials = 40
min_pass_rate = 0.5
CASES
${FLOW}
[trigger]
payload = { question = "{{case.question}}", all = "{{case.more}}" }
[[intel.turns]]
variants = [{ content = "{{case.answer}}", weight = 9 }, { content = "no idea" }]
[expected]
prompts = [{ node = "ask", contains = "}}{{case.question}}" }]
[expected.final]
path = "content"
equals = "{{case.answer}}"
`;
const ROWS = [
  { name: 'greeting', question: 'Hi?', answer: 'Hello', more: { n: [1, true] } },
  { question: '{{case.answer}} "7"', answer: 'shipped', more: 2 },
];

function folder(files: Readonly<Record<string, string>>): string {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-cases-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  return cwd;
}

const from = (cases: string): string => ANSWERS.replace('CASES', cases);
const JSONL = {
  'a.toml': from('cases = "rows.jsonl"'),
  'rows.jsonl': ROWS.map((row) => JSON.stringify(row)).join('\n\n'),
};

async function problemsOf(files: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const { issues } = await loadSuite({ cwd: folder(files) });
  return issues.map(({ code, message, at }) => [code, message, at?.file, at?.line]);
}

test('each row is a scenario of its own, with the same results for any number of workers', async () => {
  const cwd = folder(JSONL);
  const report = await runSuite({ cwd, workers: 0 });
  expect(report.scenarios.map(({ name, file }) => [name, file])).toEqual([
    ['answers: greeting', 'a.toml'],
    ['answers: #2', 'a.toml'],
  ]);
  const passed = report.scenarios.map((one) => sampled(one).trials.passed);
  expect(passed.every((count) => count > 25 && count < 40)).toBe(true);
  const { timing: _, ...inline } = report;
  const { timing: __, ...pooled } = await runSuite({ cwd, workers: 2 });
  expect(pooled).toEqual(inline);
});

test('a text that is one marker becomes the value, in any other text it is text, and what was inserted stays', async () => {
  const { scenarios } = await loadSuite({ cwd: folder(JSONL) });
  const payloads = scenarios.map(({ subject }) => (subject.kind === 'workflow' ? subject.trigger.payload : null));
  expect(payloads).toEqual([
    { question: 'Hi?', all: { n: [1, true] } },
    { question: '{{case.answer}} "7"', all: 2 },
  ]);
  expect(scenarios[0]?.expected.prompts?.[0]?.contains).toBe('}}Hi?');
});

test('tables in the file, CSV and JSON Lines say the same', async () => {
  const rows = ROWS.map(({ more: _, ...row }) => row);
  const plain = (cases: string): string => from(cases).replace(', all = "{{case.more}}"', '');
  const inline = rows.map(
    (row) =>
      `[[cases]]\n${Object.entries(row)
        .map(([key, text]) => `${key} = ${JSON.stringify(text)}\n`)
        .join('')}`,
  );
  const cells = rows.map((row) =>
    [row.name ?? '', row.question, row.answer].map((text) => `"${text.replaceAll('"', '""')}"`),
  );
  const [tables, csv, jsonl] = await Promise.all(
    [
      { 'a.toml': plain(inline.join('')) },
      { 'a.toml': plain('cases = "rows.csv"'), 'rows.csv': `name,question,answer\r\n${cells.join('\r\n')}\r\n` },
      { 'a.toml': plain('cases = "rows.jsonl"'), 'rows.jsonl': rows.map((row) => JSON.stringify(row)).join('\n') },
    ].map(async (files) => (await loadSuite({ cwd: folder(files) })).scenarios),
  );
  expect(tables).toHaveLength(2);
  expect(csv).toEqual(tables);
  expect(jsonl).toEqual(tables);
});

test('one case is chosen by its name, and a file of several asks which', async () => {
  const cwd = folder(JSONL);
  const traced = await traceTrial({ file: 'a.toml', cwd, part: 'greeting', trial: 0 });
  expect(traced.scenario.name).toBe('answers: greeting');
  await expect(traceTrial({ file: 'a.toml', cwd, trial: 0 })).rejects.toMatchObject({
    message: 'a.toml is a scenario file of 2 cases.',
    hint: 'Name one with --part: "answers: greeting", "answers: #2".',
  });
});

test('one case is chosen by its name as reports show it, which the commands in them have', async () => {
  const name = 'red \u001b[31m';
  const rows = [...ROWS, { ...ROWS[0], name }].map((row) => JSON.stringify(row)).join('\n');
  const cwd = folder({ ...JSONL, 'rows.jsonl': rows });
  for (const part of ['answers: red \\u{1b}[31m', 'red \\u{1b}[31m', name]) {
    expect((await traceTrial({ file: 'a.toml', cwd, part, trial: 0 })).scenario.name).toBe(`answers: ${name}`);
  }
});

test('a problem that all cases have is told once, and any other with the name of its case', async () => {
  const odd = [...ROWS, { answer: 'x', more: 1 }].map((row) => JSON.stringify(row)).join('\n');
  expect(await problemsOf({ ...JSONL, 'rows.jsonl': odd })).toEqual([
    ['unknown_field', 'In case "#3": The case has no field "question".', 'a.toml', 15],
    ['unknown_field', 'In case "#3": The case has no field "question".', 'a.toml', 19],
  ]);
  expect(await problemsOf({ ...JSONL, 'a.toml': `${JSONL['a.toml']}equlas = 1\n` })).toEqual([
    ['unknown_key', '"expected.final.equlas" is not a known key.', 'a.toml', 23],
  ]);
});

test.each([
  ['cases = []', {}, ['no_cases', 'There are no cases.', 'a.toml', 4]],
  ['cases = 3', {}, ['wrong_type', '"cases" must be a list of tables, or the name of a file.', 'a.toml', 4]],
  ['cases = "rows.json"', {}, ['bad_cases', '"rows.json" is no file of cases.', 'a.toml', 4]],
  ['cases = "none.csv"', {}, ['missing_cases', 'There is no file of cases "none.csv".', 'a.toml', 4]],
  ['cases = "../../../../etc/passwd.csv"', {}, ['missing_cases', expect.any(String), 'a.toml', 4]],
  ['[[cases]]\nname = "a"\n[[cases]]\nname = "a"', {}, ['duplicate_name', 'Two cases have the name "a".', 'a.toml', 4]],
  [
    'cases = "r.jsonl"',
    { 'r.jsonl': '{}\n{"secret": }' },
    ['json_syntax', expect.not.stringContaining('secret'), 'r.jsonl', 2],
  ],
  [
    'cases = "r.csv"',
    { 'r.csv': 'a,b\n1,2\nsecret\n' },
    ['bad_table', 'File "r.csv" is not a table: this row has 1 cells, and the first line 2 names.', 'r.csv', 3],
  ],
  [
    'cases = "r.csv"',
    { 'r.csv': 'secret,secret\n1,2\n' },
    ['bad_table', 'File "r.csv" is not a table: columns lack names, or share one.', 'r.csv', 1],
  ],
  [
    'cases = "r.csv"',
    { 'r.csv': 'a,b\n1,"secret\n' },
    ['csv_syntax', 'File "r.csv" is not a table: the quote that begins here is not closed.', 'r.csv', 2],
  ],
])('%s with %j is refused with its place', async (cases, files, problem) => {
  expect(await problemsOf({ 'a.toml': from(cases), ...files })).toEqual([problem]);
});

test('a problem of a file of cases leads to no command that refuses such files', async () => {
  const files = { 'a.toml': from('cases = "r.jsonl"'), 'r.jsonl': '{"secret": }' };
  const { issues } = await loadSuite({ cwd: folder(files) });
  expect(issues.map(({ hint }) => hint)).toEqual(['Mend the file at this place, or name another one.']);
});

test('cases that nothing in the file names are alike, which is told', async () => {
  const text = `name = "same"\ncases = [{ a = 1 }, { a = 2 }]\n${FLOW}[[intel.turns]]\ncontent = "x"\n[expected]\nstatus = "completed"\n`;
  expect(await problemsOf({ 'a.toml': text })).toEqual([['unused_cases', expect.any(String), 'a.toml', 2]]);
});

test('a scenario made in code has no cases', async () => {
  const { scenarios: _, ...definition } = { scenarios: [], name: 's', workflow: { path: 'w.toml' }, cases: [{ a: 1 }] };
  const { issues } = await loadSuite({ paths: [], scenarios: [defineScenario(definition)] });
  expect(issues.map(({ code }) => code)).toContain('unsupported_key');
});

test('failing trials of each case have steps of their own, and answers of one case are explained by its name', async () => {
  const cwd = folder(JSONL);
  const report = await runSuite({ cwd, workers: 0 });
  const traces = await traceFailures(report, { cwd });
  expect(new Set(traces.map(({ scenario }) => scenario))).toEqual(new Set(report.scenarios.map(({ name }) => name)));
  await expect(explainScenario({ cwd, file: 'a.toml' })).rejects.toMatchObject({
    hint: expect.stringContaining('--part'),
  });
  expect(await explainScenario({ cwd, file: 'a.toml', part: 'greeting' })).toMatchObject({ name: 'answers: greeting' });
});
