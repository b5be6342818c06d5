import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { loadSuite, runSuite } from '../../src/index.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-mcp-config-'));
const fixtures = fileURLToPath(new URL('../effects/granted/fixtures/', import.meta.url));
const server = path.join(fixtures, 'mcp-stdio-server.mjs');
process.env['MCP_CONFIG_TOKEN'] = 'hunter22';
afterAll(() => {
  delete process.env['MCP_CONFIG_TOKEN'];
  rmSync(cwd, { recursive: true, force: true });
});

const permissions = { run: [process.execPath], env: ['MCP_CONFIG_TOKEN'] };

const SCENARIO = `name = "shop"
trials = 2
[workflow]
mcp_config = ".mcp.json"
inline = '''
name = "shop"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "look"
type = "call_mcp_tool"
server = "shop"
tool = "env"
'''
[[expected.values]]
node = "look"
path = "content"
contains = "[secret MCP_CONFIG_TOKEN]"
`;

function write(config: unknown, scenario = SCENARIO): void {
  writeFileSync(path.join(cwd, 'shop.toml'), scenario);
  writeFileSync(path.join(cwd, '.mcp.json'), typeof config === 'string' ? config : JSON.stringify(config));
}

async function problems(config: unknown, scenario = SCENARIO): Promise<readonly unknown[]> {
  write(config, scenario);
  const { issues } = await loadSuite({ cwd, paths: ['shop.toml'], permissions });
  return issues.map(({ message, at }) => [message, at?.file, at?.line]);
}

test('servers of a configuration that clients read answer a workflow, with its variables, under grants', async () => {
  const shop = {
    command: process.execPath,
    args: [server],
    env: { TOKEN: '${MCP_CONFIG_TOKEN}' },
    autoApprove: ['env'],
  };
  for (const config of [{ mcpServers: { shop } }, { servers: { shop: { type: 'stdio', ...shop } } }]) {
    write(config);
    await expect(runSuite({ cwd, paths: ['shop.toml'], workers: 0 })).rejects.toMatchObject({ code: 'INPUT' });
    const { summary } = await runSuite({ cwd, paths: ['shop.toml'], workers: 1, permissions });
    expect(summary.trials).toMatchObject({ passed: 2, broken: 0 });
  }
});

test('what a server of a configuration asks is answered by the scenario, and a backend that is none is told with its place', async () => {
  const asking = SCENARIO.replace('id = "look"', 'id = "look"\nargs_from = "trigger"')
    .replace('tool = "env"', 'tool = "ask_model"')
    .replace('contains = "[secret MCP_CONFIG_TOKEN]"', 'contains = "said: two boxes"');
  const world = `${asking}
[trigger]
payload = { id = 7 }
[[world.mcp]]
name = "shop"
sampling = "default"
[[intel.turns]]
node = "look"
content = "two boxes"
`;
  const config = { mcpServers: { shop: { command: process.execPath, args: [server] } } };
  write(config, world);
  const { summary } = await runSuite({ cwd, paths: ['shop.toml'], workers: 1, permissions });
  expect(summary.trials).toMatchObject({ passed: 2 });
  const line = world.split('\n').indexOf('sampling = "default"') + 1;
  const at = ['shop.toml', line];
  expect(await problems(config, world.replace('sampling = "default"', 'sampling = "large"'))).toEqual([
    ['MCP server "shop" is answered by "large", which is no backend.', ...at],
  ]);
  expect(await problems(config, world.replace('name = "shop"\nsampling', 'name = "mail"\nsampling'))).toContainEqual([
    'The workflow has no MCP server "mail" that could ask a model.',
    ...at,
  ]);
});

test('a server that the workflow declares itself stays as it is, and disabled ones are no servers', async () => {
  const own = SCENARIO.replace(
    "'''\n[[expected",
    '[[mcp_servers]]\nname = "shop"\ncommand = ["/usr/bin/true"]\nallow_tools = ["env"]\n\'\'\'\n[[expected',
  );
  const shop = { command: process.execPath, args: [server] };
  for (const key of ['url', 'httpUrl', 'serverUrl']) {
    expect(await problems({ mcpServers: { shop, mail: { [key]: 'https://mail.example.com/mcp' } } }, own)).toEqual([]);
  }
  const { scenarios } = await loadSuite({ cwd, paths: ['shop.toml'], permissions });
  expect(JSON.stringify(scenarios)).toContain('/usr/bin/true');
  expect(JSON.stringify(scenarios)).not.toContain('mcp-stdio-server');
  expect(JSON.stringify(scenarios)).toContain('mail.example.com');
  for (const off of [{ disabled: true }, { enabled: false }]) {
    write({ mcpServers: { shop: { ...shop, ...off } } });
    const { issues } = await loadSuite({ cwd, paths: ['shop.toml'], permissions });
    expect(issues.map(({ message }) => message)).toEqual([expect.stringContaining('shop')]);
  }
});

test('what is wrong with a configuration is said, and nothing of what else stands in it', async () => {
  const at = ['shop.toml', 4];
  expect(
    await problems({
      mcpServers: {
        a: {},
        b: { url: 'https://x.example', type: 'sse' },
        c: { command: 'x', args: [1] },
        d: { url: 'https://x.example', headers: { key: 7 } },
      },
    }),
  ).toEqual([
    ['Server "a" of ".mcp.json" needs either a "command" or a "url".', ...at],
    ['Server "b" of ".mcp.json" speaks SSE, which passk does not; streamable HTTP and programs it does.', ...at],
    ['Server "c" of ".mcp.json" has "args" that are no list of texts.', ...at],
    ['Server "d" of ".mcp.json" has "headers" that are no table of texts.', ...at],
  ]);
  expect(await problems({ mcpServers: { shop: { command: '' } } })).toEqual([
    ['Server "shop" of ".mcp.json" needs either a "command" or a "url".', ...at],
  ]);
  const shop = { command: process.execPath, args: ['${SCENARIO_DIR}/x.mjs'] };
  expect(
    await problems({
      mcpServers: {
        shop: { ...shop, env: { TOKEN: '${input:key}', OTHER: '${env:MCP_CONFIG_TOKEN}' } },
        mail: { ...shop, args: [...shop.args, '--token=${MCP_CONFIG_TOKEN}'] },
        far: { url: 'https://${HOST}/mcp' },
        good: { ...shop, env: { TOKEN: '${MCP_CONFIG_TOKEN}' } },
      },
    }),
  ).toEqual([
    ['Server "shop" of ".mcp.json" gets "${input:key}" as it stands.', ...at],
    ['Server "mail" of ".mcp.json" gets "${MCP_CONFIG_TOKEN}" as it stands.', ...at],
    ['Server "far" of ".mcp.json" gets "${HOST}" as it stands.', ...at],
  ]);
  const node = { command: process.execPath };
  expect(
    await problems({
      mcpServers: {
        shop: { ...node, disabled: 'true' },
        b: { command: 'node server.mjs' },
        c: { url: 'https://x.example', type: 'ws' },
        d: { url: 'https://x.example', type: 'SSE' },
        e: { ...node, command: '/opt/my tools/node', cwd: '/srv', envFile: '.env' },
        f: { url: 'https://x.example', transport: 'streamable-http' },
        g: { url: 'https://x.example', type: 'streamableHttp' },
      },
    }),
  ).toEqual(
    expect.arrayContaining([
      ['Server "shop" of ".mcp.json" has "disabled", which is neither true nor false.', ...at],
      ['Server "b" of ".mcp.json" has a "command" with arguments in it, which stand in "args".', ...at],
      ['Server "c" of ".mcp.json" speaks ws, which passk does not; streamable HTTP and programs it does.', ...at],
      ['Server "d" of ".mcp.json" speaks SSE, which passk does not; streamable HTTP and programs it does.', ...at],
      ['Server "e" of ".mcp.json" is started without its "cwd".', ...at],
    ]),
  );
  // As editors write it, and once more with a key that stands twice.
  const edited = `{ // servers\n/* of "mine" */ "servers": { "shop": { "command": "${process.execPath}", "args": ["//x",], }, }, }`;
  expect(await problems(edited)).toEqual([]);
  const [[doubled] = []] = (await problems(edited.replace('"args"', '"command": "x", "args"'))) as string[][];
  expect(doubled).toContain('is not JSON in which each key stands once');
  expect(await problems({ other: 'hunter22' })).toEqual([['".mcp.json" has no table "mcpServers".', ...at]]);
  const [[broken] = []] = (await problems('{ "password": hunter22')) as readonly (readonly string[])[];
  expect(broken).toContain('is not JSON');
  expect(broken).not.toContain('hunter22');
  expect(await problems({}, SCENARIO.replace('.mcp.json"', 'nowhere.json"'))).toEqual([
    ['There is no file "nowhere.json".', ...at],
  ]);
});
