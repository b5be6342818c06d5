import { describe, expect, test } from 'vitest';
import { builtinNodeSchemas } from '../../src/engine/node-schemas.ts';
import { CAPABILITIES } from '../../src/types/capability.ts';
import { parseText, placed } from './check-text.ts';

/** The matrix goes on with what no node type shows. */
const OTHERS = /^(?:trigger_|policy_)|^(?:reliability_passk|security_injection|fault_tolerance)$/;

/** Every key of every node type, with the camelCase name it gets. */
const FULL: Readonly<Record<string, readonly [text: string, config: object]>> = {
  read_file: ['path_from = "trigger.p"', { pathFrom: 'trigger.p' }],
  read_env: ['key = "K"', { key: 'K' }],
  read_mcp_resource: ['resource_from = "trigger.u"\nserver = "s"', { resourceFrom: 'trigger.u', server: 's' }],
  parse_json: ['input_from = "trigger.t"', { inputFrom: 'trigger.t' }],
  template_render: ['template = "x"\ninput_from = "trigger"', { template: 'x', inputFrom: 'trigger' }],
  diff_compute: [
    'left_from = "trigger.a"\nright_from = "trigger.b"',
    { leftFrom: 'trigger.a', rightFrom: 'trigger.b' },
  ],
  json_select: ['input_from = "trigger"\npath = "a_b.c"', { inputFrom: 'trigger', path: 'a_b.c' }],
  llm_infer: [
    'backend = "default"\nprompt = "p"\ninput_from = "trigger"\noutput_repairs = 2\noutput_schema = { my_key = { a_b = 1 } }',
    {
      backend: 'default',
      prompt: 'p',
      inputFrom: 'trigger',
      outputRepairs: 2,
      outputSchema: { my_key: { a_b: 1 } },
    },
  ],
  agent_loop: [
    'backend = "default"\nmax_steps = 2\ninstructions = "i"\ninstructions_from = "trigger.i"\ntools = ["read_file"]\nmax_tokens = 9',
    {
      backend: 'default',
      maxSteps: 2,
      instructions: 'i',
      instructionsFrom: 'trigger.i',
      tools: ['read_file'],
      maxTokens: 9,
    },
  ],
  write_file: [
    'path_from = "trigger.p"\ncontent_from = "trigger.c"',
    { pathFrom: 'trigger.p', contentFrom: 'trigger.c' },
  ],
  create_dir: ['path_from = "trigger.p"', { pathFrom: 'trigger.p' }],
  http_request: [
    'method = "GET"\nurl_from = "trigger.u"\nbody_from = "trigger.b"\nheaders = { x_y = "{{secret:A}}" }',
    { method: 'GET', urlFrom: 'trigger.u', bodyFrom: 'trigger.b', headers: { x_y: '{{secret:A}}' } },
  ],
  call_mcp_tool: [
    'tool = "t"\nargs_from = "trigger.a"\nserver = "s"',
    { tool: 't', argsFrom: 'trigger.a', server: 's' },
  ],
  shell_run: [
    'command = "/bin/ls"\nargs_from = "trigger.a"\ntimeout_secs = 5',
    { command: '/bin/ls', argsFrom: 'trigger.a', timeoutSecs: 5 },
  ],
  call: [
    'workflow = "c.toml"\ninput_from = "trigger"\nstart = "s"',
    { workflow: 'c.toml', inputFrom: 'trigger', start: 's' },
  ],
  parallel: [
    'branches = [{ workflow = "c.toml", input_from = "trigger", start = "s" }]',
    { branches: [{ workflow: 'c.toml', inputFrom: 'trigger', start: 's' }] },
  ],
  map: [
    'items_from = "trigger.i"\nworkflow = "c.toml"\nmax_items = 3\nstart = "s"\nmax_concurrent = 2',
    { itemsFrom: 'trigger.i', workflow: 'c.toml', maxItems: 3, start: 's', maxConcurrent: 2 },
  ],
  condition: ['expr = "trigger.x"', { expr: 'trigger.x' }],
  switch: ['expr = "trigger.x"', { expr: 'trigger.x' }],
  merge: ['', {}],
  fail: ['reason = "r"', { reason: 'r' }],
  pause_for_approval: ['reason = "r"', { reason: 'r' }],
  respond: [
    'body_template = "b"\nstatus = 201\ncontent_type = "text/plain"\ninput_from = "trigger"',
    { bodyTemplate: 'b', status: 201, contentType: 'text/plain', inputFrom: 'trigger' },
  ],
  terminate: ['', {}],
};

const SERVER = '[[mcp_servers]]\nname = "s"\ncommand = ["s"]\n';

describe('the built-in node types', () => {
  test('are the ones of the capability matrix', () => {
    const matrix = CAPABILITIES.filter((id) => !OTHERS.test(id));
    expect([...builtinNodeSchemas.keys()].toSorted()).toEqual(matrix.toSorted());
  });

  test.each(Object.entries(FULL))('%s takes all its keys', (type, [keys, config]) => {
    const { workflow, issues } = parseText(`name = "w"\n[[nodes]]\nid = "a"\ntype = "${type}"\n${keys}\n${SERVER}`);
    expect(placed(issues)).toEqual([]);
    expect(workflow?.nodes).toEqual([{ id: 'a', type, config }]);
  });

  test.each([...builtinNodeSchemas.keys()])('%s refuses a key that it does not know', (type) => {
    const [keys] = FULL[type] ?? [''];
    const { issues } = parseText(`name = "w"\n[[nodes]]\nid = "a"\ntype = "${type}"\nextra = 1\n${keys}\n${SERVER}`);
    const isTolerant = type === 'merge' || type === 'terminate';
    expect(placed(issues)).toEqual([isTolerant ? '?unknown_key 5:1' : 'unknown_key 5:1']);
  });
});
