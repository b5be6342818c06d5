import { Buffer } from 'node:buffer';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aFolder, runPassk } from '../cli/run-passk.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { artifacts, REPORTERS, spellings } from './canary.ts';

const MCP_SERVER = fileURLToPath(new URL('./echo-mcp-server.mjs', import.meta.url));

/** Secrets that no text happens to hold, with characters that every encoding changes. */
const CANARY = {
  MODEL_KEY: 'sk-canary/ModelKey+0xC0FFEE==7',
  HTTP_TOKEN: 'canary"http"token%/+ 5b1d7e',
  MCP_TOKEN: 'canary\\mcp\\token&ü 9a83c4',
  URL_PASSWORD: 'canary-url-password-4d2f',
} as const;

/** What a server that repeats what it was given may make of it. */
function echoed(secret: string): string {
  const query = new URLSearchParams({ a: secret }).toString();
  const base64 = [Buffer.from(secret).toString('base64'), Buffer.from(`x:${secret}`).toString('base64url')];
  return [secret, JSON.stringify(secret), encodeURIComponent(secret), query, ...base64].join('\n');
}

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(({ headers, number }) => {
    const key = String(headers.authorization).replace('Bearer ', '');
    const said = echoed(key);
    if (number % 3 === 0) return { kind: 'status', status: 400, error: { error: { message: `bad key ${said}` } } };
    if (number % 3 === 1) return { kind: 'raw', body: `${' '.repeat(90)}${said}` };
    return { kind: 'answer', content: said };
  });
});
afterAll(() => model.close());

/** One node after the other asks each server; every check fails, so that what they said is shown. */
const scenario = (origin: string): string => `name = "canaries"
trials = 6
[workflow]
inline = '''
name = "canaries"
[[start_nodes]]
name = "main"
source = "manual"
entry_node = "fetch"
[[mcp_servers]]
name = "shop"
command = ["${process.execPath}", "${MCP_SERVER}"]
env = { MCP_TOKEN = "{{secret:MCP_TOKEN}}" }
allow_tools = ["*"]
[[nodes]]
id = "fetch"
type = "http_request"
url_from = "trigger.url"
method = "POST"
headers = { "X-Token" = "Bearer {{secret:HTTP_TOKEN}}" }
[[nodes]]
id = "tool"
type = "call_mcp_tool"
server = "shop"
tool = "echo"
[[nodes]]
id = "ask"
type = "llm_infer"
backend = "default"
prompt = "What do you know?"
[[nodes]]
id = "login"
type = "http_request"
url_from = "trigger.login"
method = "GET"
[[edges]]
from = "fetch"
to = "tool"
[[edges]]
from = "tool"
to = "ask"
[[edges]]
from = "ask"
to = "login"
'''
[trigger]
payload = { url = "${origin}/echo?user=ada", login = "http://admin:${CANARY.URL_PASSWORD}@127.0.0.1/" }
[expected]
status = "completed"
path = ["ask", "fetch"]
[[expected.values]]
node = "fetch"
equals = "x"
[[expected.values]]
node = "tool"
equals = "x"
[[expected.values]]
node = "ask"
equals = "x"
`;

test('secrets stand in no report, trace, journal, shard, history, baseline or message of a run', {
  timeout: 60_000,
}, async () => {
  const { origin, seen } = await anHttpServer((request, response) => {
    const token = String(request.headers['x-token']).replace('Bearer ', '');
    response.writeHead(200, { 'x-echo': encodeURIComponent(token) });
    response.end(echoed(token));
  });
  const cwd = aFolder();
  mkdirSync(path.join(cwd, 'out'));
  writeFileSync(path.join(cwd, 'canaries.toml'), scenario(origin));
  writeFileSync(
    path.join(cwd, 'passk.toml'),
    `[models.default]
provider = "openai-compatible"
model = "small"
base_url = "${model.openaiUrl}"
api_key_env = "MODEL_KEY"
max_retries = 0
`,
  );
  const { URL_PASSWORD: _, ...env } = CANARY;
  const grants = [
    'canaries.toml',
    '--trust',
    '--live',
    `--allow-net=${new URL(origin).host}`,
    `--allow-run=${process.execPath}`,
    '--allow-env=HTTP_TOKEN,MCP_TOKEN',
  ];
  const ended = [
    await runPassk(
      [
        ...grants,
        '--verbose',
        '--journal=journal',
        '--history=history',
        '--save-baseline=baseline.json',
        '--record=run.cassette',
        ...REPORTERS.map((name) => `--reporter=${name}:out/${name}`),
      ],
      { cwd, env },
    ),
    await runPassk([...grants, '--journal=journal', '--resume', '--json'], { cwd, env }),
    await runPassk(['run', ...grants, '--shard=1/1', '--out=one.shard', '--workers=0'], { cwd, env }),
    await runPassk(['merge', 'one.shard', '--verbose'], { cwd, env }),
  ];
  const found = artifacts(cwd, ended);
  // All of it happened: the servers were asked with the real secrets, and the artifacts are there.
  expect(seen[0]?.headers['x-token']).toBe(`Bearer ${CANARY.HTTP_TOKEN}`);
  expect(model.asked[0]?.headers.authorization).toBe(`Bearer ${CANARY.MODEL_KEY}`);
  for (const name of REPORTERS) {
    const texts = [...found].filter(([file]) => file === `out/${name}` || file.startsWith(`out/${name}/`));
    expect(texts.map(([, text]) => text).join('').length).toBeGreaterThan(100);
  }
  expect(
    [...found.keys()].filter((name) => /journal\/|history\/|shard|baseline|cassette/.test(name)).length,
  ).toBeGreaterThan(3);
  expect(found.get('out/json')).toContain('[secret MCP_TOKEN]');
  expect(found.get('out/json')).toContain('[secret HTTP_TOKEN]');
  expect(found.get('out/json')).toContain('[key]');
  expect(found.get('run.cassette')).toContain('[secret MCP_TOKEN]');
  const leaks = [...found].flatMap(([name, text]) =>
    Object.entries(CANARY).flatMap(([canary, secret]) =>
      // A shard carries its scenarios as they were written, and a password that stands in one with them.
      !(canary === 'URL_PASSWORD' && name.endsWith('.shard')) &&
      spellings(secret).some((spelling) => text.includes(spelling))
        ? [`${canary} in ${name}`]
        : [],
    ),
  );
  expect(leaks).toEqual([]);
});

test('a password in an address is refused, and not repeated', async () => {
  const cwd = aFolder();
  const address = `http://admin:${CANARY.URL_PASSWORD}@127.0.0.1:9/v1`;
  writeFileSync(
    path.join(cwd, 'passk.toml'),
    `[models.default]\nprovider = "openai-compatible"\nmodel = "small"\nbase_url = "${address}"\n`,
  );
  const said = [
    await runPassk(['.', '--live', '--trust'], { cwd }),
    await runPassk(['.', '--live', '--trust', '--model', `openai-compatible:small@${address}`], { cwd }),
    await runPassk(['.', '--live', '--trust', '--model', `openia:small@${address}`], { cwd }),
    await runPassk(['.', `--allow-net=${address}`], { cwd }),
    await runPassk(['config'], { cwd }),
  ];
  for (const { stdout, stderr } of said) expect(`${stdout}${stderr}`).not.toContain(CANARY.URL_PASSWORD);
  expect(said.map(({ status }) => status)).toEqual([2, 2, 2, 2, 0]);
});
