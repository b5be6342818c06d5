import path from 'node:path';
import { build } from 'esbuild';

/**
 * What a program writes in a workflow, as TypeScript made from the schemas by which files are checked: a text for each
 * module of `src/types/definitions`.
 */
export async function definitionTexts(root) {
  const schemas = await schemasOf(root);
  const nodes = [...schemas.builtinNodeSchemas.values()].map(({ type, schema }) => ({
    type,
    name: `${pascalCase(type)}Keys`,
    schema,
  }));
  return {
    'workflow-tables': lines([
      MADE,
      declared('RetryDefinition', schemas.retrySchema),
      declared('StartNodeDefinition', schemas.startNodeSchema),
      declared('EdgeDefinition', schemas.edgeSchema),
      declared('McpServerDefinition', schemas.mcpServerSchema),
      declared('BudgetDefinition', schemas.budgetSchema),
      declared('IntelligenceDefinition', schemas.intelligenceSchema),
    ]),
    'node-keys': lines([
      `import type { JsonObject } from '../json.ts';\n\n${MADE}`,
      ...nodes.map(({ name, schema }) => declared(name, schema)),
      `${NODE_KEYS}\nexport interface NodeKeys {`,
      ...nodes.map(({ type, name, schema }) => `${doc(schema.description, '  ')}  readonly ${type}: ${name};`),
      '}',
    ]),
  };
}

const MADE = '// Made from the schemas of nodes and workflows by `npm run schemas`; a test fails until it is.\n';

const NODE_KEYS = `/**
 * The keys of each node type beside \`id\`, \`type\` and \`retry\`, by the word after \`type\`. Whoever has node types of their
 * own adds them: \`declare module 'passk' { interface NodeKeys { shout: ShoutKeys } }\`.
 */`;

/** The modules as they stand in the sources, so that no build has to be there. */
async function schemasOf(root) {
  const contents = ['engine/node-schemas', 'workflow/block-schemas', 'workflow/workflow-schema']
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

function declared(name, schema) {
  const head = doc(schema.description, '');
  if (Object.keys(schema.properties).length === 0) {
    return `${head}export type ${name} = Readonly<Record<never, never>>;\n`;
  }
  return `${head}export interface ${name} ${members(schema, '')}\n`;
}

function members({ properties, required = [] }, indent) {
  const lines = Object.entries(properties).flatMap(([key, schema]) => {
    const mark = required.includes(key) ? '' : '?';
    return `${doc(schema.description, `${indent}  `)}${indent}  readonly ${camelCase(key)}${mark}: ${typeOf(schema, `${indent}  `)};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** Throws over a schema of a shape that it does not know, rather than write a type that says less. */
function typeOf(schema, indent) {
  const { type, enum: words, anyOf, items, properties = {}, additionalProperties: rest } = schema;
  if (anyOf !== undefined) return anyOf.map((branch) => typeOf(branch, indent)).join(' | ');
  if (words !== undefined) return words.map((word) => `'${word}'`).join(' | ');
  if (type === 'string' || type === 'boolean') return type;
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return `readonly ${grouped(typeOf(items, indent))}[]`;
  if (type !== 'object')
    throw new Error(`A key of a node has a schema that no type is made of: ${JSON.stringify(schema)}`);
  if (Object.keys(properties).length > 0) return members(schema, indent);
  return rest === true ? 'JsonObject' : `Readonly<Record<string, ${typeOf(rest, indent)}>>`;
}

function grouped(type) {
  return /^'.* \| /.test(type) ? `(${type})` : type;
}

function doc(text, indent) {
  return `${indent}/** ${withCamelKeys(text)} */\n`;
}

/** A description names keys as files write them, ending in `_from`; here they are in camelCase. */
function withCamelKeys(text) {
  return text.replaceAll(/`(\w+_from)`/g, (_, key) => `\`${camelCase(key)}\``);
}

function camelCase(word) {
  return word.replaceAll(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

function pascalCase(word) {
  return camelCase(`_${word}`);
}
