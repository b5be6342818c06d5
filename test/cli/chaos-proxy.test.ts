import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../agents/proxy/model-server.ts';
import { askAgent } from '../agents/proxy/openai-agent.ts';
import { aFolder, type Ended, runPassk } from './run-passk.ts';

let models: ModelServer;

beforeEach(async () => {
  models = await startModelServer();
});

afterEach(() => models.close());

/** Starts the proxy, lets `meanwhile` use it, and ends it with Ctrl-C. */
async function throughProxy(args: readonly string[], meanwhile: (url: string) => Promise<void>): Promise<Ended> {
  let child: ChildProcess | undefined;
  let ended: Promise<Ended> | undefined;
  const url = await new Promise<string>((resolve, reject) => {
    ended = runPassk(['chaos', 'proxy', '--port', '0', '--upstream', models.url, ...args], {
      cwd: aFolder(),
      meanwhile: (started) => {
        child = started;
        let said = '';
        started.stderr?.on('data', (text: string) => {
          said += text;
          const address = /listens on (http:\/\/\S+)/.exec(said)?.[1];
          if (address !== undefined) resolve(address);
        });
      },
    });
    ended.then(({ stderr }) => reject(new Error(`ended without an address: ${stderr}`)), reject);
  });
  try {
    await meanwhile(url);
  } finally {
    child?.kill('SIGINT');
  }
  return ended ?? Promise.reject(new Error('not started'));
}

test('`passk chaos proxy` breaks the calls of an agent by a profile, names them, and counts what fired', async () => {
  const said: unknown[] = [];
  const ended = await throughProxy(['--profile', 'cascading_failure'], async (url) => {
    for (let call = 0; call < 4; call++) said.push((await askAgent(url, 'What is it?')).text);
  });
  const whole = 'Prices are 5 USD, according to the source.';
  expect(said).toEqual([whole, whole, 'Prices are 5 USD, according', 'Prices are 5 USD, according']);
  expect(ended.status).toBe(0);
  expect(
    ended.stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split('  ')[0]),
  ).toEqual(['0', '2']);
  expect(ended.stderr.match(/passed on/g)).toHaveLength(2);
  expect(ended.stderr.match(/broken: /g)).toHaveLength(2);
});

test('a profile that does not exist, an address that is none and a port that is taken end with 2 and say why', async () => {
  const run = async (...args: string[]) => {
    const { status: code, stderr } = await runPassk(['chaos', 'proxy', ...args], { cwd: aFolder() });
    return { code, said: stderr.split('\n')[0] };
  };
  expect(await run('--profile', 'api_outag')).toEqual({
    code: 2,
    said: expect.stringContaining('There is no chaos profile "api_outag".'),
  });
  expect(await run()).toEqual({ code: 2, said: expect.stringContaining('What is to go wrong is not said') });
  expect(await run('--profile', 'api_outage', '--upstream', 'nowhere')).toEqual({
    code: 2,
    said: expect.stringContaining('The upstream is no address: "nowhere".'),
  });
  const { port } = new URL(models.url);
  expect(await run('--profile', 'api_outage', '--port', port)).toEqual({
    code: 2,
    said: expect.stringContaining(`The proxy cannot listen on port ${port}`),
  });
});

test('a profile in a file, and a column of a contract, are what goes wrong', async () => {
  const folder = aFolder();
  const profile = path.join(folder, 'cut.toml');
  writeFileSync(profile, 'name = "cut"\n[chaos]\nllm_faults = [{ mode = "truncated_response", max_tokens = 2 }]\n');
  const said: unknown[] = [];
  const ask = async (url: string): Promise<void> => {
    said.push((await askAgent(url, 'What is it?')).text);
  };
  await throughProxy(['--profile', profile, '--quiet'], ask);
  const contract = path.join(folder, 'a.contract.yaml');
  writeFileSync(
    contract,
    `agent: { endpoint: "http://127.0.0.1:1/x" }
golden_prompts: ["hi"]
contract:
  name: "a"
  invariants: [{ id: c, type: completes }]
  chaos_matrix: [{ name: silent, llm_faults: [{ mode: empty }] }]
`,
  );
  await throughProxy(['--contract', contract, '--column', 'silent', '--quiet'], ask);
  expect(said).toEqual(['Prices are', '']);
});
