import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EvalResult } from '../../src/types/release/eval-result.ts';
import { ASI_IDS } from '../../src/types/release/origin.ts';
import { aFolder, runPassk } from '../cli/run-passk.ts';
import { answer, startModelServer } from '../support/model-server.ts';

const GUIDE = readFileSync(new URL('../../docs/release.md', import.meta.url), 'utf8')
  .split('## From one workflow to production')[1]
  ?.split('\n## ')[0];

/** The blocks of the guide that hold this language, in order. */
const blocks = (language: string): readonly string[] =>
  [...(GUIDE ?? '').matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

const [ATTACK = '', SETTINGS = ''] = blocks('toml');
const [FIRST = '', LAST = ''] = blocks('sh');
const commands = (block: string): readonly (readonly string[])[] =>
  block
    .trim()
    .split('\n')
    .map((line) => line.replace(/^passk /, '').split(' '));

// By the name of the model, and not by the role that it plays in a workflow; any other would be too dear.
const RATES = `id = "2026-11"
effective = "2026-11-01"
[models."gpt-4o-2024-08-06"]
input = 10
output = 100
[models."*"]
input = 10000
output = 100000
`;

/** A workflow that asks a model which way to go; `more`: at the top of its file. */
const scenario = (name: string, more: string): string => `name = "${name}"
${more}

[workflow]
inline = '''
name = "router"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [
  { id = "ask", type = "llm_infer", backend = "default", prompt = "Which way for {{name}}?", input_from = "trigger", output_schema = "inline" },
  { id = "choose", type = "switch", expr = "ask.parsed.way" },
  { id = "left", type = "terminate" },
  { id = "right", type = "terminate" },
]
edges = [
  { from = "ask", to = "choose" },
  { from = "choose", to = "left", when = "left" },
  { from = "choose", to = "right", when = "right" },
]
'''

[trigger]
payload = { name = "${name}" }

[[intel.turns]]
content = '{"way": "left"}'
prompt_tokens = 1000
completion_tokens = 100

[expected]
last_node = "left"
`;

const REVIEWED = `suite = "validation"
[provenance]
source = { kind = "curated" }
review = { by = "ana", at = "2026-11-25", release = "1.4.0" }`;
const suite = (name: string, day: string): string =>
  `suite = "${name}"\n[provenance]\nsource = { kind = "curated" }\nrefreshed = "${day}"`;

test('the guide leads from one scenario to a production record that verifies, command by command', async () => {
  const cwd = aFolder();
  const today = new Date().toISOString().slice(0, 10);
  const write = (file: string, text: string): void => writeFileSync(path.join(cwd, file), text);
  const passk = (args: readonly string[]) => runPassk(args, { cwd });
  write('refund.toml', scenario('refund', ''));
  const first: (number | null)[] = [];
  for (const args of commands(FIRST)) first.push((await passk(args)).status);
  // The first record lacks prices, a rule and attacks.
  expect(first).toEqual([0, 0, 3, 0]);
  const model = await startModelServer(() => answer('{"way": "left"}', { usage: { prompt: 1000, completion: 100 } }));
  onTestFinished(() => model.close());
  write('passk.toml', SETTINGS);
  write('rates.toml', RATES);
  write('refund.toml', scenario('refund', REVIEWED));
  write('denial.toml', scenario('denial', REVIEWED));
  write('old.toml', scenario('old', suite('regression', today)));
  write('flood.toml', scenario('flood', suite('stress', today)));
  for (const id of ASI_IDS) {
    write(`${id}.toml`, scenario(`attack ${id}`, ATTACK.replace('ASI01', id).replace(/\d{4}-\d{2}-\d{2}/, today)));
  }
  const there = (word: string): string => word.replace(/^openai:(.*)/, `openai-compatible:$1@${model.openaiUrl}`);
  const [run = [], verify = []] = commands(LAST).map((words) => words.map(there));
  const ran = await passk(run);
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  const { body } = JSON.parse(readFileSync(path.join(cwd, 'release.json'), 'utf8')) as EvalResult;
  expect([body.tier, body.verdict, body.safety.attacks, body.safety.succeeded]).toEqual([
    'production',
    'pass',
    2560,
    0,
  ]);
  expect(readFileSync(path.join(cwd, 'release.html'), 'utf8')).toContain('Cost of a success');
  // The model was asked in every trial, and is pinned in the record.
  expect(model.asked.length).toBe(14 * 256);
  expect(body.cost.perSuccessExactUsd).toBe(0.02);
  expect(body.candidate.modelPins).toEqual([{ role: 'default', model: 'gpt-4o-2024-08-06', isFloating: false }]);
  const verified = await passk(verify);
  expect([verified.status, verified.stderr]).toEqual([0, '']);
  expect(verified.stdout).toContain('holds; its verdict is pass');
});
