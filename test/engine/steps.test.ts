import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freezeDeep } from '../../src/values/freeze-deep.ts';
import type { Reply } from '../../src/plugin/request.ts';
import type { Json, JsonObject } from '../../src/types/json.ts';
import { aStep } from './a-step.ts';
import { plainUsage, textParts } from '../../src/values/message-text.ts';

const CONFIGS: Readonly<Record<string, JsonObject>> = {
  agent_loop: { backend: 'default', maxSteps: 3, instructionsFrom: 'a', tools: ['read_file', 'shell_run'] },
  call: { workflow: 'c', inputFrom: 'a' },
  call_mcp_tool: { tool: 't', argsFrom: 'a', server: 'm' },
  condition: { expr: 'a' },
  create_dir: { pathFrom: 'a' },
  diff_compute: { leftFrom: 'a', rightFrom: 'b' },
  fail: {},
  http_request: { method: 'get', urlFrom: 'a', bodyFrom: 'b' },
  json_select: { inputFrom: 'a', path: 'x.0' },
  llm_infer: { backend: 'default', prompt: '{{}}', inputFrom: 'a', outputSchema: { kind: 'json' }, outputRepairs: 1 },
  map: { itemsFrom: 'a', workflow: 'c', maxItems: 3 },
  merge: {},
  parallel: { branches: [{ workflow: 'c', inputFrom: 'a' }, { workflow: 'd' }] },
  parse_json: { inputFrom: 'a' },
  pause_for_approval: {},
  read_env: { key: 'K' },
  read_file: { pathFrom: 'a' },
  read_mcp_resource: { resourceFrom: 'a', server: 'm' },
  respond: { bodyTemplate: '{{x}}{{}}' },
  shell_run: { command: '/x', argsFrom: 'a' },
  switch: { expr: 'a' },
  template_render: { template: '{{x}}{{}}', inputFrom: 'a' },
  terminate: {},
  write_file: { pathFrom: 'a', contentFrom: 'b' },
};

const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const anInput = fc.oneof(anyJson, fc.constant(undefined), fc.string(), fc.array(fc.string(), { maxLength: 3 }));
const aReply: fc.Arbitrary<Reply> = fc.oneof(
  anyJson.map((value) => ({ kind: 'value', value }) as const),
  fc
    .oneof(fc.string(), fc.json(), fc.constant('{"action":"tool","tool":"read_file","args":{"path":"p"}}'))
    .map((content) => ({ kind: 'model', parts: textParts(content), finish: 'stop', usage: plainUsage(1, 1) }) as const),
  anyJson.map((value) => ({ kind: 'children', results: [{ kind: 'completed', value }] }) as const),
  fc.constant({ kind: 'error', category: 'policy', message: 'no', denied: true } as const),
);

test.each(Object.keys(CONFIGS))('%s answers the same for the same, throws for nothing and changes nothing', (type) => {
  const config = CONFIGS[type] ?? {};
  const steps = [aStep(type, config, { mcpServers: ['m'] }), aStep(type, config, { mcpServers: ['m'] })] as const;
  fc.assert(
    fc.property(fc.tuple(anInput, anInput), fc.array(aReply, { maxLength: 6 }), (given, replies) => {
      const inputs = given.slice(0, steps[0].reads.length);
      freezeDeep([inputs, replies]);
      let [one, other] = [steps[0].begin(inputs), steps[1].begin(inputs)];
      for (const reply of replies) {
        expect(one).toEqual(other);
        if (one.kind !== 'ask' || other.kind !== 'ask') break;
        freezeDeep(one);
        const next = [steps[0].after?.(one.state, reply), steps[1].after?.(other.state, reply)] as const;
        if (next[0] === undefined || next[1] === undefined) throw new Error(`${type} asks but does not go on`);
        [one, other] = next;
      }
      expect(one).toEqual(other);
    }),
    { numRuns: 60 },
  );
});
