import { readFileSync } from 'node:fs';
import { Compile } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { contractKeys } from '../../src/suites/contract/contract-schema.ts';
import { checkSuite } from '../../src/scenario/check-suite.ts';
import { FIRST_CONTRACT } from '../../src/cli/first/contract.ts';
import {
  contractJsonSchema,
  scenarioJsonSchema,
  sessionJsonSchema,
  workflowJsonSchema,
} from '../../src/scenario/json-schema.ts';
import { generateSchema } from '../../src/suites/generated/generate-schema.ts';
import { agentScenarioSchema, sessionSchema } from '../../src/suites/session/session-schema.ts';
import { loadScenarioText } from './load-scenario.ts';
import { isTable } from '../../src/source/json-schema.ts';
import { parseToml } from '../../src/source/toml-document.ts';
import type { Json, JsonObject } from '../../src/types/json.ts';
import { aRegistry } from './a-registry.ts';
import { aScenario, TURN, TWO_NODES } from './in-folder.ts';

const options = { root: '/nowhere', cwd: '/nowhere' };

describe('a suite', () => {
  test('names both files that use one scenario name', () => {
    const text = aScenario('', `${TURN}[expected]\nstatus = "completed"\n`);
    const load = (file: string) => {
      const loaded = loadScenarioText(text, aRegistry, options);
      if (!loaded.ok) throw new Error('must load');
      return { ...loaded, file, scenario: { ...loaded.scenario, file } };
    };
    expect(checkSuite([load('a.toml'), load('b/c.toml')])).toEqual([
      {
        code: 'duplicate_scenario_name',
        severity: 'error',
        message: 'Scenario name "s" is used by a.toml and by b/c.toml.',
        at: { file: 'b/c.toml', line: 1, column: 1 },
        hint: 'Give each scenario a name of its own: reports and comparisons go by name.',
      },
    ]);
  });
});

const CONTRACT = `
workflow = "w.toml"
[contract]
name = "c"
[[contract.invariants]]
id = "i"
type = "contains"
value = "x"
severity = "high"
[[contract.chaos_matrix]]
name = "down"
tool_faults = [{ tool = "*", mode = "error" }]
context_attacks = { overflow = { inject_tokens = 10 } }
`;

const AGENT_SCENARIO = `name = "hours"
cases = [{ answer = "10 to 16" }]
[agent]
endpoint = "http://localhost:8000"
[user]
opening = "When?"
[expected]
says = ["{{case.answer}}"]
max_tool_calls = 0
`;

describe('the published JSON Schemas', () => {
  const schemas = {
    scenario: scenarioJsonSchema(aRegistry, { contractKeys, agentScenario: agentScenarioSchema }),
    contract: contractJsonSchema(aRegistry, contractKeys),
    workflow: workflowJsonSchema(aRegistry),
    session: sessionJsonSchema(sessionSchema, {
      generateKeys: generateSchema,
      agentScenario: agentScenarioSchema,
    }),
  };

  test.each(Object.entries(schemas))('%s: every key has a title and a description', (_name, schema) => {
    expect(undescribed(schema, '#')).toEqual([]);
  });

  test('accept what loads and refuse what does not', () => {
    const accepts = (schema: JsonObject, text: string) => {
      const parsed = parseToml({ path: 'x', name: 'x', text });
      return parsed.ok && Compile(schema as Parameters<typeof Compile>[0]).Check(parsed.document.data);
    };
    const scenario = aScenario(
      '',
      `${TURN}fault = { type = "delay", delay_ms = 1 }\n[expected]\nstatus = "completed"\n`,
    );
    const wrapped = `[[workflows]]\n${TWO_NODES.replaceAll('[[', '[[workflows.')}`;
    const tasks = readFileSync(new URL('../../corpus/sessions/repair-shop.toml', import.meta.url), 'utf8');
    expect(accepts(schemas.session, tasks)).toBe(true);
    expect(accepts(schemas.session, tasks.replace('opening', 'openin'))).toBe(false);
    const made = readFileSync(new URL('../../corpus/adversity/generated.toml', import.meta.url), 'utf8');
    expect(accepts(schemas.session, made)).toBe(true);
    expect(accepts(schemas.session, made.replace('family =', 'familly ='))).toBe(false);
    expect(accepts(schemas.session, 'name = "nothing to do"\n')).toBe(false);
    for (const schema of [schemas.session, schemas.scenario]) {
      expect(accepts(schema, AGENT_SCENARIO)).toBe(true);
      expect(accepts(schema, AGENT_SCENARIO.replace('opening', 'openin'))).toBe(false);
    }
    expect({
      scenario: accepts(schemas.scenario, scenario),
      unknownKey: accepts(schemas.scenario, `colour = 1\n${scenario}`),
      nameless: accepts(schemas.scenario, scenario.replace(/^name = .*$/m, '')),
      contract: accepts(schemas.scenario, CONTRACT),
      unknownContractKey: accepts(schemas.scenario, CONTRACT.replace('severity', 'serverity')),
      unknownFault: accepts(schemas.scenario, scenario.replace('"delay"', '"dealy"')),
      contractAlone: accepts(schemas.contract, CONTRACT),
      scenarioAsContract: accepts(schemas.contract, scenario),
      expectedInContract: accepts(schemas.contract, `${CONTRACT}\n[expected]\nstatus = "completed"\n`),
      agentAlone: accepts(schemas.contract, '[agent]\ncommand = ["./agent"]\n'),
      firstContract: accepts(schemas.contract, FIRST_CONTRACT),
      workflow: accepts(schemas.workflow, TWO_NODES),
      wrapped: accepts(schemas.workflow, wrapped),
      unknownNodeKey: accepts(schemas.workflow, `${TWO_NODES}`.replace('prompt =', 'promt =')),
      empty: accepts(schemas.workflow, ''),
    }).toEqual({
      scenario: true,
      unknownKey: false,
      nameless: false,
      contract: true,
      unknownContractKey: false,
      unknownFault: false,
      contractAlone: true,
      scenarioAsContract: false,
      expectedInContract: false,
      agentAlone: false,
      firstContract: true,
      workflow: true,
      wrapped: true,
      unknownNodeKey: false,
      empty: false,
    });
  });
});

/** Places of keys without title or description. */
function undescribed(schema: JsonObject, place: string): readonly string[] {
  const found: string[] = [];
  for (const [key, inner] of Object.entries(isTable(schema.properties) ? schema.properties : {})) {
    if (!isTable(inner)) continue;
    if (typeof inner.title !== 'string' || typeof inner.description !== 'string') found.push(`${place}/${key}`);
    found.push(...undescribed(inner, `${place}/${key}`));
  }
  const others: readonly (Json | undefined)[] = [
    schema.items,
    schema.additionalProperties,
    ...(Array.isArray(schema.anyOf) ? schema.anyOf : []),
    ...(isTable(schema.$defs) ? Object.values(schema.$defs) : []),
  ];
  for (const inner of others) if (isTable(inner)) found.push(...undescribed(inner, `${place}/*`));
  return found;
}
