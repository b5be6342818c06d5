import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

/**
 * What a program writes in a scenario, as TypeScript made from the schemas by which files are checked: a text for each module
 * of `src/types/definitions`.
 */
export async function definitionTexts(root) {
  const schemas = await schemasOf(root);
  const modules = { 'workflow-tables': workflowTables(schemas), ...agentTables(schemas) };
  const named = namesOf(modules);
  const nodes = [...schemas.builtinNodeSchemas.values()].map(({ type, schema }) => ({
    type,
    name: `${pascalCase(type)}Keys`,
    schema,
  }));
  const texts = {
    ...Object.fromEntries(Object.entries(modules).map(([module, types]) => [module, moduleText(module, types, named)])),
    'node-keys': lines([
      `import type { JsonObject } from '../json.ts';\n\n${MADE}`,
      ...nodes.map(({ name, schema }) => declared(name, schema, new Map())),
      `${NODE_KEYS}\nexport interface NodeKeys {`,
      ...nodes.map(({ type, name, schema }) => `${doc(schema.description, '  ')}  readonly ${type}: ${name};`),
      '}',
    ]),
  };
  return Object.fromEntries(Object.entries(texts).map(([module, text]) => [module, formatted(root, text)]));
}

function importOf(module, types) {
  const names = types.flatMap((one) => (one.module === module ? [one.name] : [])).sort();
  return `import type { ${names.join(', ')} } from './${module}.ts';`;
}

function workflowTables(schemas) {
  return {
    RetryDefinition: schemas.retrySchema,
    StartNodeDefinition: schemas.startNodeSchema,
    EdgeDefinition: schemas.edgeSchema,
    McpServerDefinition: schemas.mcpServerSchema,
    BudgetDefinition: schemas.budgetSchema,
    IntelligenceDefinition: schemas.intelligenceSchema,
  };
}

/** A scenario with an agent, and the tables that it has. What holds code in an object is written by hand beside it. */
function agentTables({ agentScenarioSchema, contractFileSchema, invariantSchema }) {
  const { properties } = agentScenarioSchema;
  const { agent, session, user, gold, goals, assert, expected, tools, personas, attacks, chaos } = properties;
  const { mutations, ladder, policy, provenance } = properties;
  const { turns } = agent.properties;
  return {
    'agent-scenario': {
      AgentScenarioTables: without(agentScenarioSchema, ['agent', 'session', 'expected']),
      AgentDefinition: agent,
      AgentTurnDefinition: turns.items,
      SessionTables: without(session, ['world']),
    },
    'agent-task': {
      CallDefinition: turns.items.properties.calls.items,
      UserDefinition: user,
      GoldDefinition: gold,
      ArgumentTestDefinition: goals.items.properties.where.items,
      GoalDefinition: goals.items,
      AssertionDefinition: assert.items,
    },
    'agent-expected': {
      AgentExpectedTables: without(expected, ['checks']),
      RuleDefinition: invariantSchema,
      PreferenceDefinition: expected.properties.prefers.items,
    },
    'agent-world': {
      StateTestDefinition: expected.properties.state.items,
      WorldToolDefinition: tools.items,
      ToolFaultDefinition: chaos.properties.tool_faults.items,
      PersonaDefinition: personas.items,
      MutationsDefinition: mutations,
      AttackDefinition: attacks.items,
      LadderDefinition: ladder,
    },
    ...contractTables(contractFileSchema),
    'scenario-tables': { PolicyDefinition: without(policy, ['rego']), ProvenanceDefinition: provenance },
  };
}

/** A contract, without what the reference alone has. */
function contractTables(schema) {
  const { agent, contract, chaos, chaos_matrix: matrix, mutations, replays } = schema.properties;
  const { tool_faults: tools, llm_faults: models, context_attacks: attacks } = chaos.properties;
  const [list, table] = attacks.anyOf;
  return {
    contract: {
      ContractTables: without(schema, ['agent', 'contract', 'invariants', 'version', 'model', 'output']),
      BareContractTables: without(contract, ['invariants']),
      PromptAgentTables: without(agent, ['reset_function']),
    },
    'contract-chaos': {
      ChaosDefinition: chaos,
      ColumnDefinition: matrix.items,
      BrokenToolDefinition: tools.items,
      BrokenModelDefinition: models.items,
      ContextAttackDefinition: list.items,
      AttackSettings: table.properties.overflow,
    },
    'contract-prompts': { PromptMutationsDefinition: mutations, ReplaysDefinition: replays },
  };
}

function without(schema, left) {
  const properties = Object.fromEntries(Object.entries(schema.properties).filter(([key]) => !left.includes(key)));
  return { ...schema, properties, of: schema };
}

/** By its schema as text, each type that stands for itself, with the module that it stands in. */
function namesOf(modules) {
  return new Map(
    Object.entries(modules).flatMap(([module, types]) =>
      Object.entries(types).map(([name, { of, ...schema }]) => [JSON.stringify(of ?? schema), { name, module }]),
    ),
  );
}

function moduleText(module, types, named) {
  const used = new Map();
  const texts = Object.entries(types).map(([name, schema]) => declared(name, schema, named, used));
  const others = [...used.values()].filter((one) => one.module !== module);
  const sources = [...new Set(others.map((one) => one.module))].sort();
  const body = texts.join('\n');
  const json = ['JsonObject', 'Json'].filter((name) => new RegExp(`\\b${name}\\b`).test(body)).reverse();
  const head = [
    ...(json.length > 0 ? [`import type { ${json.join(', ')} } from '../json.ts';`] : []),
    ...sources.map((source) => importOf(source, others)),
  ];
  return lines([...(head.length > 0 ? [`${head.join('\n')}\n`] : []), MADE, body]);
}

const MADE = '// Made from the schemas of what stands in files by `npm run schemas`; a test fails until it is.\n';

const NODE_KEYS = `/**
 * The keys of each node type beside \`id\`, \`type\` and \`retry\`, by the word after \`type\`. Whoever has node types of their
 * own adds them: \`declare module 'passk' { interface NodeKeys { shout: ShoutKeys } }\`.
 */`;

/** The modules as they stand in the sources, so that no build has to be there. */
async function schemasOf(root) {
  const contents = [
    'engine/node-schemas',
    'workflow/block-schemas',
    'workflow/workflow-schema',
    'suites/session/session-schema',
    'suites/contract/contract-schema',
  ]
    .map((module) => `export * from './${module}.ts';`)
    .join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.join(root, 'src'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

function lines(parts) {
  return `${parts.join('\n').trimEnd()}\n`;
}

function declared(name, schema, named, used = new Map()) {
  const head = doc(schema.description, '');
  if (Object.keys(schema.properties).length === 0) {
    return `${head}export type ${name} = Readonly<Record<never, never>>;\n`;
  }
  return `${head}export interface ${name} ${members(schema, '', { named, used })}\n`;
}

function members({ properties, required = [] }, indent, names) {
  const lines = Object.entries(properties).flatMap(([key, schema]) => {
    const mark = required.includes(key) ? '' : '?';
    return `${doc(schema.description, `${indent}  `)}${indent}  readonly ${camelCase(key)}${mark}: ${typeOf(schema, `${indent}  `, names)};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** Throws over a schema of a shape that it does not know, rather than write a type that says less. */
function typeOf(schema, indent, names) {
  const found = names.named.get(JSON.stringify(schema));
  if (found !== undefined) {
    names.used.set(found.name, found);
    return found.name;
  }
  const { type, enum: words, anyOf, items, properties = {}, patternProperties, additionalProperties: rest } = schema;
  if (anyOf !== undefined) return anyOf.map((branch) => typeOf(branch, indent, names)).join(' | ');
  if (words !== undefined) return words.map((word) => `'${word}'`).join(' | ');
  if (type === 'string' || type === 'boolean') return type;
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return `readonly ${grouped(items === undefined ? 'Json' : typeOf(items, indent, names))}[]`;
  if (type === undefined) return 'Json';
  if (type !== 'object') throw new Error(`A key has a schema that no type is made of: ${JSON.stringify(schema)}`);
  if (Object.keys(properties).length > 0) return members(schema, indent, names);
  const [values = rest] = Object.values(patternProperties ?? {});
  return values === true ? 'JsonObject' : `Readonly<Record<string, ${typeOf(values, indent, names)}>>`;
}

function grouped(type) {
  return / \| (?![^{]*})/.test(type) ? `(${type})` : type;
}

function doc(text, indent) {
  const words = withCamelKeys(text);
  if (indent.length + words.length + 7 <= WIDTH) return `${indent}/** ${words} */\n`;
  return `${indent}/**\n${wrapped(words, `${indent} * `).join('\n')}\n${indent} */\n`;
}

const WIDTH = 120;

function wrapped(text, head) {
  const lines = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(head + word);
  }
  return lines;
}

/** As the formatter of the sources leaves it. */
function formatted(root, text) {
  const biome = path.join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'format', '--stdin-file-path=made.ts'], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The types cannot be formatted: ${stderr}`);
  return stdout;
}

/** A description names keys as files write them; here they are in camelCase. */
function withCamelKeys(text) {
  return text.replaceAll(/`(\w+_(?:from|concurrent))`/g, (_, key) => `\`${camelCase(key)}\``);
}

function camelCase(word) {
  return word.replaceAll(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

function pascalCase(word) {
  return camelCase(`_${word}`);
}
