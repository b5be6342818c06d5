import { NOTHING } from './a-disk.ts';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGrantedEffects } from '../../../src/effects/granted/create-effects.ts';
import { loadSuite, traceTrial } from '../../../src/index.ts';
import type { Permissions } from '../../../src/types/permissions.ts';
import type { SecretSource } from '../../../src/types/workflow.ts';
import { anHttpServer } from './an-http-server.ts';
import { aCall, aRequest, told } from './ask-http.ts';
import { workflowIn } from '../../support/as-workflow.ts';

const SECRET = 'hunter2-and-more';

function aFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'passk-secrets-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A server that says what key it was sent; tokens are at `/token`. */
async function aServer(tokens: readonly string[] = [], expiresIn = 3600) {
  const left = [...tokens];
  return anHttpServer((request, response) => {
    if (request.url !== '/token') return void response.end(`heard ${String(request.headers['x-key'])}`);
    response.end(JSON.stringify({ access_token: left.shift(), token_type: 'Bearer', expires_in: expiresIn }));
  });
}

interface Asked {
  readonly source: SecretSource;
  readonly url: string;
  readonly permissions?: Partial<Permissions>;
  readonly env?: Readonly<Record<string, string>>;
  readonly root?: string;
  readonly times?: number;
}

/** What a request with `{{secret:KEY}}` in its header gets, through the effects that a worker opens. */
async function ask({ source, url, permissions, env = {}, root = tmpdir(), times = 1 }: Asked): Promise<unknown> {
  const granted = { permissions: { ...NOTHING, net: ['127.0.0.1'], ...permissions }, root };
  const effects = createGrantedEffects(granted, { env });
  onTestFinished(() => effects.close());
  const opened = await effects.open({ ports: ['http'], mcpServers: [], secrets: [source], scenarioFile: 's/s.toml' });
  onTestFinished(() => opened.close());
  const answers: unknown[] = [];
  for (let time = 0; time < times; time++) {
    const answer = await opened.http?.perform(aRequest({ url, headers: { 'X-Key': '{{secret:KEY}}' } }), aCall());
    const found = answer === undefined ? null : told(answer);
    answers.push(typeof found === 'object' && found !== null && 'body' in found ? found.body : found);
  }
  return times === 1 ? answers[0] : answers;
}

test('a secret from another variable is that one, and needs its grant', async () => {
  const { origin: url, seen } = await aServer();
  const source = { name: 'KEY', source: 'env', variable: 'TOKEN' } as const;
  const env = { TOKEN: SECRET, KEY: 'the wrong one' };
  expect(await ask({ source, url, env })).toBe('broken: The secret KEY needs --allow-env=TOKEN.');
  expect(await ask({ source, url, env, permissions: { env: ['TOKEN'] } })).toBe('heard [secret KEY]');
  expect(seen.map(({ headers }) => headers['x-key'])).toEqual([SECRET]);
  expect(await ask({ source, url, permissions: { env: true } })).toBe(
    'tool: header `X-Key`: secret `KEY`: environment variable `TOKEN` is unset or blank',
  );
});

test('a secret from a file needs a read grant, is trimmed unless it says otherwise, and no link leads around the grant', async () => {
  const { origin: url, seen } = await aServer();
  const root = aFolder();
  mkdirSync(path.join(root, 's'));
  mkdirSync(path.join(root, 'elsewhere'));
  writeFileSync(path.join(root, 's/key'), `${SECRET}\n`);
  writeFileSync(path.join(root, 'elsewhere/key'), SECRET);
  symlinkSync('../elsewhere/key', path.join(root, 's/link'));
  const file = (name: string, trim = true) => ({ name: 'KEY', source: 'file', path: name, trim }) as const;
  const read = [path.join(root, 's')];
  expect(await ask({ source: file('key'), url, root })).toBe(
    `broken: The secret KEY needs --allow-read=${root}/s/key.`,
  );
  expect(await ask({ source: file('key'), url, root, permissions: { read } })).toBe('heard [secret KEY]');
  expect(await ask({ source: file('${SCENARIO_DIR}/key'), url, root, permissions: { read } })).toBe(
    'heard [secret KEY]',
  );
  expect(seen.map(({ headers }) => headers['x-key'])).toEqual([SECRET, SECRET]);
  expect(await ask({ source: file('key', false), url, root, permissions: { read } })).toContain('line break');
  expect(await ask({ source: file('link'), url, root, permissions: { read } })).toBe(
    `broken: The secret KEY needs --allow-read=${root}/elsewhere/key.`,
  );
  expect(await ask({ source: file('gone'), url, root, permissions: { read } })).toBe(
    'tool: header `X-Key`: secret `KEY`: read gone: No such file or directory (os error 2)',
  );
  expect(await ask({ source: file('.'), url, root, permissions: { read } })).toContain('. is no file');
});

test('a secret from a program is what it prints, once for the worker, and needs a run grant', async () => {
  const { origin: url, seen } = await aServer();
  const root = aFolder();
  const program = path.join(root, 'tell');
  writeFileSync(program, `#!/bin/sh\nprintf x >> ${root}/calls\n[ "$1" = fail ] && exit 3\nprintf '%s\\n' "$1"\n`);
  chmodSync(program, 0o755);
  const command = (...args: string[]) => ({ name: 'KEY', source: 'command', argv: [program, ...args] }) as const;
  expect(await ask({ source: command(SECRET), url, root })).toBe(
    `broken: The secret KEY needs --allow-run=${program}.`,
  );
  const permissions = { run: [program] };
  mkdirSync(path.join(root, 's'));
  expect(await ask({ source: command(SECRET), url, root, permissions, times: 2 })).toEqual([
    'heard [secret KEY]',
    'heard [secret KEY]',
  ]);
  expect(seen.map(({ headers }) => headers['x-key'])).toEqual([SECRET, SECRET]);
  expect(await ask({ source: command('fail'), url, root, permissions })).toBe(
    `tool: header \`X-Key\`: secret \`KEY\`: ${program} ended with exit code 3`,
  );
});

test.each([
  [
    undefined,
    { authorization: `Basic ${Buffer.from('me:pw-of-mine').toString('base64')}` },
    'grant_type=client_credentials&scope=a+b&audience=x',
  ],
  ['post_body', {}, 'grant_type=client_credentials&scope=a+b&audience=x&client_id=me&client_secret=pw-of-mine'],
])(
  'a secret from OAuth2 is a token asked for with the credentials of a client (%s)',
  async (authStyle, headers, body) => {
    const { origin, seen } = await aServer([`${SECRET}-1`, `${SECRET}-2`]);
    const source: SecretSource = {
      name: 'KEY',
      source: 'oauth2',
      tokenUrl: `${origin}/token`,
      clientIdEnv: 'ID',
      clientSecretEnv: 'PW',
      scopes: ['a', 'b'],
      extraParams: { audience: 'x' },
      ...(authStyle !== undefined && { authStyle }),
      skewSecs: 60,
    };
    const env = { ID: 'me', PW: 'pw-of-mine' };
    expect(await ask({ source, url: origin, env, permissions: { env: ['ID'] } })).toBe(
      'broken: The secret KEY needs --allow-env=PW.',
    );
    const permissions = { env: ['ID', 'PW'] };
    expect(await ask({ source, url: origin, env, permissions, times: 2 })).toEqual([
      'heard [secret KEY]',
      'heard [secret KEY]',
    ]);
    const [token, ...requests] = seen;
    expect(token?.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded', ...headers });
    expect([token?.body, ...requests.map((request) => request.headers['x-key'])]).toEqual([
      body,
      `${SECRET}-1`,
      `${SECRET}-1`,
    ]);
  },
);

test('a token that has come to its end is asked for anew', async () => {
  const { origin, seen } = await aServer([`${SECRET}-1`, `${SECRET}-2`], 10);
  const source: SecretSource = {
    name: 'KEY',
    source: 'oauth2',
    tokenUrl: `${origin}/token`,
    clientIdEnv: 'ID',
    clientSecretEnv: 'ID',
    scopes: [],
    extraParams: {},
    skewSecs: 60,
  };
  await ask({ source, url: origin, env: { ID: 'me' }, permissions: { env: true }, times: 2 });
  expect(seen.flatMap(({ headers }) => headers['x-key'] ?? [])).toEqual([`${SECRET}-1`, `${SECRET}-2`]);
});

test('a workflow says with [[secrets]] where its secrets are kept, and flags are named for where that is', async () => {
  const { origin, seen } = await aServer();
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'key'), SECRET);
  writeFileSync(
    path.join(cwd, 's.toml'),
    `name = "s"
[workflow]
inline = '''
name = "w"
start_nodes = [{ name = "main", source = "manual", entry_node = "get" }]
nodes = [{ id = "get", type = "http_request", method = "GET", url_from = "trigger.url", headers = { x-key = "{{secret:KEY}}" } }]
secrets = [{ name = "KEY", source = "file", path = "key" }]
'''
[trigger]
payload = { url = "${origin}/x" }
[[world.http]]
method = "GET"
url = "https://elsewhere.test/"
[expected]
status = "completed"
`,
  );
  const { scenarios } = await loadSuite({ cwd });
  expect(scenarios.map((one) => workflowIn(one).workflow.secrets)).toEqual([
    [{ name: 'KEY', source: 'file', path: 'key', trim: true }],
  ]);
  const refused = await traceTrial({ cwd, file: 's.toml', trial: 0 });
  expect(refused.result.brokenBy).toContain(`--allow-net=${origin.slice(7)} and --allow-read=key`);
  const permissions = { net: ['127.0.0.1'], read: [path.join(cwd, 'key')] };
  const { result } = await traceTrial({ cwd, file: 's.toml', trial: 0, permissions });
  expect([result.verdict, seen.at(-1)?.headers['x-key']]).toEqual(['passed', SECRET]);
});
