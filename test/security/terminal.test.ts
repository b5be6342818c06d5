import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, type MockInstance, onTestFinished, test, vi } from 'vitest';
import { makeKeys } from '../../src/release/signing-keys.ts';
import { VERBS } from '../../src/cli/program.ts';
import { runKeys } from '../../src/queue/queue-keys.ts';
import { aFolder, aGreeting, type Ended, runPassk } from '../cli/run-passk.ts';
import { aWorker } from '../cli/a-worker.ts';
import { passkHere } from '../cli/passk-here.ts';
import { type ARedis, aRedis, skipsRedis } from '../queue/a-redis.ts';
import { HOSTILE, HOSTILE_FILE, obeyedLines, quoted } from './hostile-texts.ts';
import { CONSENT, otlpTraces, traceId } from '../suite/production/otlp-traces.ts';

const TEXT = quoted(HOSTILE);

/** A model says the text, a node fails with it, and what is expected does not hold. */
const SAYS = `name = ${quoted(`says ${HOSTILE}`)}
description = ${TEXT}
tags = [${TEXT}]
trials = 3
[workflow]
inline = '''
name = "says"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [
  { id = "ask", type = "llm_infer", backend = "default", prompt = "{{text}}", input_from = "trigger", output_schema = "inline" },
  { id = "read", type = "read_file", path_from = "ask.parsed.way" },
]
edges = [{ from = "ask", to = "read" }]
'''
[trigger]
payload = { text = ${TEXT} }
[policy.fs]
read = ["/none/**"]
[[intel.turns]]
content = ${quoted(JSON.stringify({ way: HOSTILE }))}
[expected]
status = "completed"
reason_contains = ${TEXT}
`;

const CSV = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const CELL = CSV(HOSTILE);
/** A possible row with a twin, an ambiguous one and an impossible one. */
const ROWS = `name,domain,tasks,pass^1,pass^2
${['0.50,0.20', '0.50,0.20', '0.5,0.2', '0.50,0.60'].map((values) => `${CELL},${CELL},10,${values}`).join('\n')}
`;

const CONFORM = `[conform.runtimes.js]
specs-dir = "specs"
plugins-dir = "plugins"
entry-filename = "entry.mjs"
default-runner = "in-process"
`;

const ASKED = `    - name: ${JSON.stringify(HOSTILE)}
      input: { messages: [{ role: user, content: [{ text: ${JSON.stringify(HOSTILE)} }] }] }`;

const SPEC = `- model: ${JSON.stringify(`says/${HOSTILE}`)}
  tests:
${ASKED}
      validators: ["valid-json"]
- model: throws/it
  tests:
${ASKED}
`;

const ENTRY = `export const generate = ({ model }) => {
  console.error(${JSON.stringify(HOSTILE)});
  if (model === 'throws/it') throw new Error(${JSON.stringify(HOSTILE)});
  return { message: { role: 'model', content: [{ text: ${JSON.stringify(HOSTILE)} }] }, finishReason: 'stop' };
};
`;

const BAD_SPEC = `- model: a/b
  supports: [${JSON.stringify(HOSTILE)}]
  ${JSON.stringify(HOSTILE)}: 1
  tests:
${ASKED}
      validators: [${JSON.stringify(HOSTILE)}]
`;

const CONTRACT = `[contract]
name = ${TEXT}
description = ${TEXT}
trials = 2
prompts = [${TEXT}]
[[contract.invariants]]
id = ${TEXT}
type = "contains"
value = ${TEXT}
severity = "critical"
[[contract.chaos_matrix]]
name = ${TEXT}
[workflow]
inline = '''
name = "says"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [
  { id = "ask", type = "llm_infer", backend = "default", prompt = "Answer.", input_from = "trigger" },
  { id = "answer", type = "respond", input_from = "ask", body_template = "{{content}}" },
]
edges = [{ from = "ask", to = "answer" }]
'''
[[intel.turns]]
content = ${quoted(`no ${HOSTILE}`)}
`;

const FETCHES = (url: string): string => `name = "fetches"
trials = 2
[workflow]
inline = '''
name = "fetches"
start_nodes = [{ name = "main", source = "manual", entry_node = "get" }]
nodes = [{ id = "get", type = "http_request", method = "GET", url_from = "trigger.url" }]
edges = []
'''
[trigger]
payload = { url = ${quoted(url)} }
[policy.http]
urls = [${quoted(`${url}**`)}]
[expected]
final = { equals = "nothing" }
`;

const RUNS = `name = "runs"
[workflow]
inline = '''
name = "runs"
start_nodes = [{ name = "main", source = "manual", entry_node = "go" }]
nodes = [{ id = "go", type = "shell_run", command = ${quoted(process.execPath)}, args_from = "trigger.args" }]
edges = []
'''
[trigger]
payload = { args = ["-e", ${quoted(`process.stderr.write(${TEXT}); process.stdout.write(${TEXT}); process.exit(3)`)}] }
[policy.shell]
commands = ["${process.execPath}"]
[expected]
final = { equals = "nothing" }
`;

/** A plug-in that prints, throws and reports the text, in pieces. */
const PLUGIN = `const text = ${TEXT};
export const node = {
  kind: 'node', type: 'throws', summary: text, needs: () => [], labels: () => [],
  create: () => ({ reads: [], begin() {
    process.stdout.write('\\n:');
    process.stdout.write(':error::pwned\\n#');
    process.stdout.write('#vso[pwned]x\\n');
    for (const unit of text) process.stdout.write(unit);
    console.error(text);
    throw new Error(text);
  } }),
};
export const reporter = { kind: 'reporter', type: 'mine', summary: text, render: () => text };
export const follower = { kind: 'reporter', type: 'follows', summary: text, render: () => text, event: () => text };
export const broken = { kind: 'reporter', type: 'broken', summary: text, render() { throw new Error(text); } };
`;
const BAD_PLUGIN = `throw new Error(${TEXT});`;

/** Results of another program. */
/** One is refused, and another one has no id. */
const HOSTILE_TRACES = otlpTraces([
  { id: traceId(0), order: HOSTILE, mail: HOSTILE, says: HOSTILE, change: 'no answer' },
  { id: traceId(1), order: HOSTILE, mail: HOSTILE, says: HOSTILE },
]);
const RUNS_ELSEWHERE = JSON.stringify([
  { task_id: HOSTILE, trial: 0, reward: 0, info: { reward_info: {} }, traj: [{ role: 'assistant', content: HOSTILE }] },
  { task_id: HOSTILE, trial: 1, reward: 0, info: { error: HOSTILE }, traj: [] },
]);

const THROWS = aGreeting({ name: 'throws', trials: 2 })
  .replace('type = "template_render"', 'type = "throws"')
  .replace(/(template|input_from) = .*\n/g, '');

/** Problems of every kind, in a file whose name is one. */
const PROBLEMS = `name = ${TEXT}
${TEXT} = 1
[workflow]
inline = '''
nodes = [{ id = ${TEXT}, type = ${TEXT} }]
'''
[expected]
status = ${TEXT}
`;

interface Case {
  readonly title: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** In a folder of its own with these files; else in the one with all. */
  readonly files?: Readonly<Record<string, string>>;
  /** The whole of stdout is JSON. */
  readonly isJson?: true;
  /** stdout holds annotations of passk's own. */
  readonly annotations?: true;
  /** The text is in no output. */
  readonly repeatsNothing?: true;
  /** Code of the user prints by itself, which only a process of its own shows. */
  readonly printsItself?: true;
}

const OPEN = ['--allow-net=127.0.0.1', '--allow-run', '--allow-env', '--allow-read', '--allow-write'];
const NARROW = { COLUMNS: '46' };
const RELEASE = ['run', 'says.toml', '--tier', 'dev', '--candidate-version', '1', '--out', 'release.json'];
/** Its name is shown. */
const RATES = `id = ${TEXT}\neffective = "2026-11-01"\n[models."*"]\ninput = 1\noutput = 2\n`;
/** What production said, in a session of recorded tools, and a candidate that calls and says something else. */
const SAID = `name = ${TEXT}
[session]
world = "said.tools.json"
[[tasks]]
name = ${TEXT}
user = { opening = ${TEXT} }
[[tasks.agents]]
name = "recorded"
turns = [{ says = ${TEXT} }]
`;
const SHADOW_FILES = {
  'said.toml': SAID,
  'said.tools.json': JSON.stringify({
    schema: 'passk-recorded-tools/1',
    tools: [{ name: HOSTILE.slice(0, 200) }],
    answers: [],
  }),
  'next.toml': `[[agents]]\nname = ${TEXT}\nmodule = "next.mjs"\n`,
  'next.mjs': `export default ({ tools }) => () => tools[0].execute({ a: ${JSON.stringify(HOSTILE)} });`,
};
/** A rollout of a candidate of this name, and outcomes of it that fail under this id. */
const CANARY = `candidate = ${TEXT}
tier = "dev"
[[stages]]
percent = 0
min_outcomes = 10
max_outcomes = 20
min_pass_rate = 0.9
max_error_rate = 0.1
`;
const OUTCOMES = Array.from({ length: 30 }, (_, at) =>
  JSON.stringify({
    id: `${at} ${HOSTILE}`,
    at: '2026-11-01T00:00:00Z',
    arm: 'candidate',
    version: HOSTILE,
    passed: false,
  }),
).join('\n');
const SIGNED = { PASSK_RELEASE_KEY: makeKeys().privateKey };

/** Each case beside the command that it is of. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  run: [
    ...['text', 'json', 'reference-json', 'ndjson', 'junit', 'tap', 'markdown'].map((reporter) => ({
      title: `what a model says, as ${reporter}`,
      args: ['says.toml', 'contract.toml', '-r', reporter, '--verbose'],
      ...(reporter.endsWith('json') && reporter !== 'ndjson' && { isJson: true as const }),
    })),
    { title: 'what a model says, in a narrow terminal', args: ['says.toml', 'contract.toml', '-v'], env: NARROW },
    { title: 'what a model says, in ASCII', args: ['says.toml', 'contract.toml', '-v'], env: { ...NARROW, LANG: 'C' } },
    { title: 'what a model says, for GitHub', args: ['says.toml', 'contract.toml', '-r', 'github'], annotations: true },
    { title: 'servers and programs', args: ['fetches.toml', 'runs.toml', '-v', ...OPEN], env: NARROW },
    {
      title: 'plug-ins that print and throw',
      args: ['throws.toml', '--plugin', './plugin.mjs', '-v'],
      env: NARROW,
      printsItself: true,
    },
    {
      title: 'the same in processes',
      args: ['throws.toml', '--plugin', './plugin.mjs', '--isolation', 'process'],
      printsItself: true,
    },
    { title: 'reporters of plug-ins', args: ['says.toml', '--plugin', './plugin.mjs', '-r', 'mine'] },
    { title: 'reporters that follow', args: ['says.toml', '--plugin', './plugin.mjs', '-r', 'follows'] },
    { title: 'reporters that break', args: ['says.toml', '--plugin', './plugin.mjs', '-r', 'broken'] },
    { title: 'a plug-in that cannot be loaded', args: ['says.toml', '--plugin', './bad.mjs'] },
    { title: 'problems of files', args: ['problems', '-v'] },
    { title: 'problems of files, for GitHub', args: ['problems', '-r', 'github'], annotations: true },
    { title: 'a shard', args: ['says.toml', '--shard', '1/1', '--out', 'one.shard', '-v'] },
    { title: 'names of files that are written', args: ['says.toml', '-r', `json:none/${HOSTILE_FILE}`] },
    { title: 'a journal that is no folder', args: ['says.toml', '--journal', `says.toml/${HOSTILE_FILE}`] },
    { title: 'a gate', args: ['says.toml', '--gate', HOSTILE] },
    { title: 'a flag that is none', args: [`--${HOSTILE}`] },
    { title: 'a value of a flag', args: ['says.toml', '--trials', HOSTILE] },
    { title: 'a value of a variable', args: ['says.toml'], env: { PASSK_TRIALS: HOSTILE } },
    { title: 'a path', args: [`./${HOSTILE_FILE}.toml`] },
    { title: 'a kept run', args: ['says.toml', '--history', 'history', '-q'] },
  ],
  contract: [
    { title: 'run', args: ['run', 'contract.toml', '-v'], env: NARROW },
    { title: 'validate', args: ['validate', 'contract.toml', 'problems'] },
    { title: 'validate as JSON', args: ['validate', 'contract.toml', 'problems', '--json'], isJson: true },
    { title: 'score', args: ['score', 'contract.toml', 'problems'] },
  ],
  model: [
    { title: 'what a model says', args: ['check', 'specs', ...OPEN, '-v'], env: NARROW, printsItself: true },
    {
      title: 'what a model says, as JSON',
      args: ['check', 'specs', ...OPEN, '--json'],
      isJson: true,
      printsItself: true,
    },
    {
      title: 'what a model says, for GitHub',
      args: ['check', 'specs', ...OPEN, '-r', 'github'],
      annotations: true,
      printsItself: true,
    },
    { title: 'a list', args: ['list', 'specs'] },
    { title: 'problems', args: ['lint', 'bad-specs'] },
    { title: 'a plug-in that is none', args: ['check', HOSTILE] },
  ],
  ci: [{ title: 'text', args: ['says.toml', 'contract.toml'], env: NARROW }],
  probe: [{ title: 'a file that is none', args: [`${HOSTILE_FILE}.toml`] }],
  merge: [
    { title: 'text', args: ['one.shard', '-v'], env: NARROW },
    { title: 'no shard', args: [`${HOSTILE_FILE}.shard`] },
  ],
  worker: [
    { title: 'a bad name', args: ['--as', HOSTILE], env: { PASSK_QUEUE: 'redis://127.0.0.1:1' } },
    { title: 'a bad address', args: ['--queue', HOSTILE], repeatsNothing: true },
  ],
  plan: [
    { title: 'text', args: ['says.toml', 'contract.toml', '-v', '--gate', 'pass^2 >= 0.9'], env: NARROW },
    { title: 'JSON', args: ['says.toml', '--json'], isJson: true },
  ],
  validate: [
    { title: 'text', args: ['.'] },
    { title: 'JSON', args: ['.', '--json'], isJson: true },
  ],
  trace: [
    { title: 'text', args: ['says.toml', '-v'], env: NARROW },
    { title: 'JSON', args: ['says.toml', '--json'], isJson: true },
    { title: 'a plug-in', args: ['throws.toml', '--plugin', './plugin.mjs'], printsItself: true },
    { title: 'parts that are there', args: ['contract.toml', '--part', HOSTILE] },
  ],
  score: [
    { title: 'text', args: ['runs.json', '--min-pass-rate', '1', '-v'], env: NARROW },
    { title: 'JSON', args: ['runs.json', '--json'], isJson: true },
    { title: 'Markdown', args: ['runs.json', '-r', 'markdown', '--min-pass-rate', '1'] },
    { title: 'a file that is none', args: [`${HOSTILE_FILE}.json`] },
  ],
  compare: [
    { title: 'text', args: ['runs.json', 'more-runs.json'], env: NARROW },
    { title: 'JSON', args: ['runs.json', 'more-runs.json', '--json'], isJson: true },
    { title: 'a file that is none', args: [`${HOSTILE_FILE}.json`, 'runs.json'] },
  ],
  explain: [
    { title: 'text', args: ['says.toml'], env: NARROW },
    { title: 'JSON', args: ['says.toml', '--json'], isJson: true },
  ],
  generate: [
    { title: 'text', args: ['generated.toml', '--out', 'made'] },
    { title: 'JSON', args: ['generated.toml', '--out', 'made-json', '--json'], isJson: true },
    { title: 'a week that is none', args: ['generated.toml', '--out', 'made', '--week', HOSTILE] },
    { title: 'a folder that is none', args: ['generated.toml', '--out', `generated.toml/${HOSTILE_FILE}`] },
  ],
  list: [
    { title: 'text', args: ['says.toml', 'contract.toml', 'problems'] },
    { title: 'JSON', args: ['says.toml', 'contract.toml', '--json'], isJson: true },
  ],
  history: [
    { title: 'trends', args: ['--history', 'history'], env: NARROW },
    { title: 'JSON', args: ['--history', 'history', '--json'], isJson: true },
    { title: 'a run', args: ['show', 'latest', '--history', 'history'], env: NARROW },
    { title: 'no run', args: ['show', HOSTILE, '--history', 'history'] },
    { title: 'no folder', args: ['--history', HOSTILE_FILE] },
  ],
  audit: [
    { title: 'a table', args: ['table', 'rows.csv'], env: NARROW, files: { 'rows.csv': ROWS } },
    { title: 'a table as JSON', args: ['table', 'rows.csv', '--json'], files: { 'rows.csv': ROWS }, isJson: true },
    { title: 'values', args: ['table', 'rows.csv'], files: { 'rows.csv': `tasks,pass^1\n${CELL},${CELL}\n` } },
    { title: 'columns', args: ['table', 'rows.csv'], files: { 'rows.csv': `${CSV(`pass${HOSTILE}`)}\n1\n` } },
    { title: 'JSON', args: ['table', 'rows.json'], files: { 'rows.json': `[{${JSON.stringify(HOSTILE)}: ${HOSTILE}` } },
    {
      title: 'a domain that is none',
      args: ['table', 'rows.csv', '--tasks', `x${HOSTILE}=3`],
      files: { 'rows.csv': ROWS },
    },
    { title: 'a number that is none', args: ['table', 'rows.csv', '--tasks', HOSTILE] },
    { title: 'a file that is none', args: ['table', HOSTILE_FILE] },
    { title: 'a set', args: ['set', 'runs.json'], env: NARROW },
    { title: 'a set as JSON', args: ['set', 'runs.json', '--json'], isJson: true },
  ],
  export: [
    { title: 'rows', args: ['runs.json', '--format', 'jsonl'] },
    { title: 'a format that is none', args: ['runs.json', '--format', HOSTILE] },
    { title: 'a file that is none', args: [`${HOSTILE_FILE}.json`, '--format', 'jsonl'] },
  ],
  import: [
    {
      title: 'what is refused',
      repeatsNothing: true,
      args: ['runs.json', '--out', HOSTILE_FILE, '--consent', 'consent.toml'],
      files: { 'consent.toml': CONSENT, 'runs.json': HOSTILE_TRACES },
    },
    {
      title: 'JSON',
      args: ['runs.json', '--out', 'sessions', '--consent', 'consent.toml', '--json'],
      files: { 'consent.toml': CONSENT, 'runs.json': HOSTILE_TRACES },
      isJson: true,
    },
    { title: 'a policy that is none', args: ['runs.json', '--out', 'sessions', '--consent', `${HOSTILE_FILE}.json`] },
  ],
  scrub: [
    { title: 'places', args: ['runs.json', '--check', '--pattern', '\\w+'], repeatsNothing: true },
    {
      title: 'JSON',
      args: ['runs.json', '--check', '--pattern', '\\w+', '--json'],
      isJson: true,
      repeatsNothing: true,
    },
    { title: 'a file that is none', args: [`${HOSTILE_FILE}.json`, '--check'] },
    { title: 'a number that is none', args: ['runs.json', '--check', '--id', HOSTILE] },
    { title: 'a country that is none', args: ['runs.json', '--check', '--country', HOSTILE] },
    { title: 'a pattern that is none', args: ['runs.json', '--check', '--pattern', `(${HOSTILE}`] },
  ],
  price: [
    { title: 'recorded runs', args: ['runs.json', '--rates', 'rates.toml'], env: NARROW },
    { title: 'Markdown', args: ['runs.json', '--rates', 'rates.toml', '--format', 'markdown'] },
    { title: 'JSON', args: ['runs.json', '--rates', 'rates.toml', '--json'], isJson: true },
    { title: 'rates that are none', args: ['runs.json', '--rates', HOSTILE_FILE] },
    { title: 'a range that is none', args: ['runs.json', '--rates', 'rates.toml', '--range', HOSTILE] },
    { title: 'a run that is none', args: [HOSTILE_FILE, '--rates', 'rates.toml'] },
  ],
  release: [
    { title: 'a record', args: [...RELEASE, '--candidate', HOSTILE], env: { ...NARROW, ...SIGNED } },
    { title: 'JSON', args: [...RELEASE, '--candidate', HOSTILE, '--json'], env: SIGNED, isJson: true },
    { title: 'what holds', args: ['verify', 'release.json'], repeatsNothing: true },
    { title: 'first settings', args: ['init', '.', '--dry-run'], repeatsNothing: true },
    { title: 'what would change', args: ['explain', 'release.json', '-v'], env: NARROW },
    { title: 'a record that is none', args: ['verify', HOSTILE_FILE] },
    { title: 'a key that is none', args: [...RELEASE, '--key', HOSTILE_FILE] },
    { title: 'a day that is none', args: [...RELEASE, '--as-of', HOSTILE], env: SIGNED },
  ],
  certify: [
    {
      title: 'what is certified',
      args: ['says.toml', '--out', 'says.cert', '--min-pass-rate', '0'],
      env: { ...NARROW, ...SIGNED },
    },
    { title: 'what holds', args: ['says.toml', '--check', 'says.cert'], repeatsNothing: true },
    { title: 'a certificate that is none', args: ['says.toml', '--check', HOSTILE_FILE] },
    { title: 'a moment that is none', args: ['says.toml', '--out', 'says.cert', '--as-of', HOSTILE], env: SIGNED },
  ],
  judge: [
    {
      title: 'a calibration',
      args: ['calibrate', 'labels.csv', '--judge', HOSTILE],
      env: NARROW,
      files: { 'labels.csv': 'id,human,judge\na,pass,pass\nb,fail,fail\n' },
    },
    {
      title: 'a calibration as JSON',
      args: ['calibrate', 'labels.csv', '--judge', HOSTILE, '--json'],
      files: { 'labels.csv': 'id,human,judge\na,pass,pass\nb,fail,fail\n' },
      isJson: true,
    },
    {
      title: 'labels that are none',
      args: ['calibrate', 'labels.csv', '--judge', 'gpt'],
      files: { 'labels.csv': `id,human,judge\n${CELL},${CELL},pass\n` },
    },
    { title: 'a file of labels that is none', args: ['calibrate', `${HOSTILE_FILE}.csv`, '--judge', 'gpt'] },
    {
      title: 'a judge that is asked and is none',
      args: ['calibrate', 'labels.jsonl', '--judge', HOSTILE, '--ask'],
      files: { 'labels.jsonl': `${JSON.stringify({ id: CELL, human: 'pass', response: CELL, context: [CELL] })}\n` },
    },
    {
      title: 'a sample and probes',
      args: ['calibrate', 'labels.csv', '--judge', 'gpt', '--sample-of', HOSTILE, '--probes', 'probes.csv'],
      env: NARROW,
      files: {
        'labels.csv': 'id,human,judge\na,pass,pass\nb,fail,fail\n',
        'probes.csv': 'probe,verdicts\nlength,pass fail\n',
      },
    },
    {
      title: 'probes that are none',
      args: ['calibrate', 'labels.csv', '--judge', 'gpt', '--probes', 'probes.csv'],
      files: {
        'labels.csv': 'id,human,judge\na,pass,pass\nb,fail,fail\n',
        'probes.csv': `probe,verdicts\n${CELL},${CELL}\n`,
      },
      repeatsNothing: true,
    },
    {
      title: 'a fault on the way that is none',
      args: ['tunnel', '--server', '--pairs', '1', '--fault', `${HOSTILE}=1`],
    },
    { title: 'a fault that is none', args: ['tunnel', '--bias', `${HOSTILE}=1`] },
    { title: 'a protocol that is none', args: ['tunnel', '--protocol', HOSTILE] },
    { title: 'a judge for the tunnel that is none', args: ['tunnel', '--judge', HOSTILE] },
  ],
  canary: [
    {
      title: 'outcomes that fail and a version of another',
      args: ['step', 'canary.toml', 'a.jsonl'],
      files: { 'canary.toml': CANARY, 'a.jsonl': OUTCOMES },
    },
    {
      title: 'JSON',
      args: ['step', 'canary.toml', 'a.jsonl', '--json'],
      isJson: true,
      files: { 'canary.toml': CANARY, 'a.jsonl': OUTCOMES },
    },
    {
      title: 'a rehearsal',
      args: [
        'rehearse',
        'canary.toml',
        '--rollouts',
        '2',
        '--candidate',
        `${HOSTILE_FILE.slice(0, 40).replaceAll(/[,=]/g, '')}=0.9`,
      ],
      files: { 'canary.toml': CANARY },
    },
    {
      title: 'a candidate that is none',
      args: ['rehearse', 'canary.toml', '--candidate', HOSTILE],
      files: { 'canary.toml': CANARY },
    },
    { title: 'a file with problems', args: ['step', 'canary.toml'], files: { 'canary.toml': `${TEXT} = 1` } },
    {
      title: 'a shadow of what is no recording',
      args: ['shadow', 'canary.toml', 'live.toml', '--agents', 'next.toml', '--out', 'shadow.jsonl'],
      files: { 'canary.toml': CANARY, ...SHADOW_FILES, 'live.toml': SAID.replace(/world = .*/, 'messages = 2') },
    },
    {
      title: 'a shadow',
      args: [
        'shadow',
        'canary.toml',
        'said.toml',
        '--agents',
        'next.toml',
        '--allow-run=./next.mjs',
        '--out',
        `${HOSTILE_FILE}.jsonl`,
      ],
      files: { 'canary.toml': CANARY, ...SHADOW_FILES },
      env: NARROW,
    },
  ],
  golden: [
    { title: 'the JSON of a set', args: ['pin', 'says.toml', '--out', 'golden.json', '--json'], isJson: true },
    { title: 'a set', args: ['pin', 'says.toml', '--out', 'golden.json'], repeatsNothing: true },
    { title: 'a file that is none', args: ['run', `${HOSTILE_FILE}.json`] },
    { title: 'a candidate', args: ['run', 'golden.json', '--min-tasks', '1'], repeatsNothing: true },
    { title: 'a candidate of a file that is none', args: ['accept', `${HOSTILE_FILE}.json`, '--reason', HOSTILE] },
  ],
  chaos: [{ title: 'a profile that is none', args: ['proxy', '--profile', HOSTILE] }],
  open: [{ title: 'a report that is none', args: [`${HOSTILE_FILE}.json`, '--no-browser'] }],
  init: [{ title: 'a folder', args: [HOSTILE_FILE.replaceAll('/', '')] }],
  schema: [{ title: 'a kind that is none', args: [HOSTILE] }],
  plugins: [
    { title: 'text', args: ['--plugin', './plugin.mjs'] },
    { title: 'JSON', args: ['--plugin', './plugin.mjs', '--json'] },
  ],
  config: [
    { title: 'values', args: ['--name', HOSTILE, '--tag', HOSTILE] },
    { title: 'JSON', args: ['--name', HOSTILE, '--json'], isJson: true },
    { title: 'a file with problems', args: [], files: { 'passk.toml': `${TEXT} = 1\ngates = [${TEXT}]\npaths = 1\n` } },
    { title: 'a file with values', args: [], files: { 'passk.toml': `paths = [${TEXT}]\nreporters = ["text"]\n` } },
  ],
  help: [{ title: 'a command that is none', args: [HOSTILE], repeatsNothing: true }],
};

let cwd = '';
let server: Server;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.writeHead(500, { 'content-type': 'text/plain' });
    response.end(HOSTILE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  cwd = mkdtempSync(path.join(os.tmpdir(), 'passk-terminal-'));
  for (const folder of ['problems', 'specs/pwned', 'bad-specs']) mkdirSync(path.join(cwd, folder), { recursive: true });
  const files: Readonly<Record<string, string>> = {
    'says.toml': SAYS,
    'contract.toml': CONTRACT,
    'generated.toml': `name = ${TEXT}\n[generate]\nfamily = "repair_shop"\ncount = 1\n`,
    'fetches.toml': FETCHES(url),
    'runs.toml': RUNS,
    'throws.toml': THROWS,
    'plugin.mjs': PLUGIN,
    'conform.toml': CONFORM,
    'specs/pwned/model-conformance.yaml': SPEC,
    'specs/pwned/entry.mjs': ENTRY,
    'bad-specs/model-conformance.yaml': BAD_SPEC,
    'bad.mjs': BAD_PLUGIN,
    'runs.json': RUNS_ELSEWHERE,
    'rates.toml': RATES,
    'more-runs.json': RUNS_ELSEWHERE.replaceAll('"reward":0', '"reward":1'),
    [`problems/${HOSTILE_FILE.replaceAll('/', '')}.toml`]: PROBLEMS,
    'problems/broken.toml': `name = ${TEXT} ${HOSTILE}`,
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(cwd, file), text);
});
afterAll(() => {
  server.close();
  rmSync(cwd, { recursive: true, force: true });
});

test('every command has its cases', () => {
  expect(Object.keys(CASES).sort()).toEqual([...VERBS].sort());
});

// In order: what one command writes, a later one reads. The first case of each is in a process of its own.
describe.each(Object.entries(CASES))('%s', (verb, cases) => {
  test.each(cases)(
    'lets nothing through that a terminal or a CI runner obeys: $title',
    async (one) => {
      const { args, env = {}, isJson, annotations } = one;
      const folder = one.files === undefined ? cwd : aFolder();
      for (const [file, text] of Object.entries(one.files ?? {})) writeFileSync(path.join(folder, file), text);
      const strays = ownOutputs();
      for (const color of [false, true]) {
        const painted = color ? { FORCE_COLOR: '1' } : {};
        const isApart = one.printsItself === true || (!color && one === cases[0]);
        const run = isApart ? runPassk : passkHere;
        const { stdout, stderr } = await run([verb, ...args], { cwd: folder, env: { ...env, ...painted } });
        for (const stray of strays) expect(stray).not.toHaveBeenCalled();
        // Cut to its ends it still is one of them; a queue's address and a topic of help are not repeated.
        if (one.repeatsNothing !== true)
          expect(stdout + stderr).toMatch(isJson === true ? /[{[]/ : /pwned|c\\u(?:\{1b\}|…)/);
        expect(obeyedLines(stdout, { color, annotations: annotations === true })).toEqual([]);
        expect(obeyedLines(stderr, { color })).toEqual([]);
        if (isJson === true) expect(() => JSON.parse(stdout)).not.toThrow();
        // Data has no colours.
        if (isJson === true) break;
      }
    },
    60_000,
  );
});

/** What writes to a terminal past what a command line is given to write to. */
function ownOutputs(): readonly MockInstance[] {
  const strays = [
    vi.spyOn(process.stdout, 'write').mockReturnValue(true),
    vi.spyOn(process.stderr, 'write').mockReturnValue(true),
    ...(['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockReturnValue()),
  ];
  onTestFinished(() => {
    for (const stray of strays) stray.mockRestore();
  });
  return strays;
}

describe.skipIf(skipsRedis)('over a queue (needs redis-server)', () => {
  let redis: ARedis;
  let client: Redis;
  beforeAll(async () => {
    redis = await aRedis();
    client = new Redis(redis.url);
  });
  afterAll(async () => {
    client.disconnect();
    await redis.stop();
  });

  test('names of workers, their reasons and their failures are text on the host', async () => {
    const row = { beat: 1, workers: 1, lanes: 1, claim: '', done: 0, failed: 0, trials: 0, busyMs: 0 };
    const folder = aFolder();
    writeFileSync(path.join(folder, 'a.toml'), aGreeting({ trials: 100_000 }));
    let ended: Ended | null = null;
    const run = runPassk(['run', 'a.toml', '-v'], { cwd: folder, env: { PASSK_QUEUE: redis.url } });
    const forge = async (): Promise<void> => {
      while (ended === null) {
        for (const id of await client.zrange('passk:runs', '0', '-1')) {
          await client.hset(runKeys(id).workers, 'x', JSON.stringify({ ...row, name: HOSTILE }));
          await client.hset(runKeys(id).refused, 'y', JSON.stringify({ name: HOSTILE, why: HOSTILE }));
          aWorker({ url: redis.url, cwd: folder, flags: ['--once'] });
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await forge();
    ended = await run;
    expect(ended.stderr).toContain('pwned');
    expect(obeyedLines(ended.stdout + ended.stderr)).toEqual([]);
  });
});
