// Writes the JSON Schemas of what passk writes, from the exported types: src/report/schemas; and the types of the nodes
// that it reads, from their schemas: src/types/definitions. Run it after a change of either; a test fails until then.
// `--check` writes nothing and ends with 1 where they differ.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { definitionTexts } from './definition-texts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = path.join(ROOT, 'src', 'report', 'schemas');

/** Each document with the type in src/types that says what is in it, and keys of it that may be left out. */
const DOCUMENTS = {
  report: { type: 'SuiteReport', title: 'passk report', optional: ['timing'] },
  plan: { type: 'SuitePlan', title: 'passk plan' },
  explain: { type: 'AnswerTree', title: 'passk explain' },
  trace: { type: 'TraceDocument', title: 'passk trace' },
  baseline: { type: 'Baseline', title: 'passk baseline' },
  history: { type: 'HistoryDocument', title: 'passk history' },
  'table-audit': { type: 'TableAudit', title: 'passk audit table' },
  'set-audit': { type: 'SetAudit', title: 'passk audit set' },
  'judge-tunnel': { type: 'JudgeTunnel', title: 'passk judge tunnel' },
  'judge-calibration': { type: 'JudgeCalibration', title: 'passk judge calibration' },
  comparison: { type: 'ComparisonReport', title: 'passk comparison' },
  price: { type: 'PriceReport', title: 'passk price' },
  canary: { type: 'CanaryReport', title: 'passk canary' },
  'canary-rehearsal': { type: 'CanaryRehearsal', title: 'passk canary rehearse' },
  'canary-shadow': { type: 'CanaryShadow', title: 'passk canary shadow' },
  golden: { type: 'GoldenSet', title: 'passk golden set' },
  'golden-run': { type: 'GoldenReport', title: 'passk golden run' },
  release: { type: 'EvalResult', title: 'passk release record' },
  certificate: { type: 'Certificate', title: 'passk certificate' },
  'release-explanation': { type: 'ReleaseExplanation', title: 'passk release explain' },
};

/** The schemas as texts, by the name of the document. */
async function outputSchemas() {
  const { createGenerator } = await import('ts-json-schema-generator');
  const generator = createGenerator({
    path: path.join(ROOT, 'src/types/**/*.ts'),
    tsconfig: path.join(ROOT, 'tsconfig.json'),
    topRef: false,
    sortProps: false,
    encodeRefs: false,
    skipTypeCheck: true,
    additionalProperties: false,
  });
  return Object.fromEntries(
    Object.entries(DOCUMENTS).map(([name, { type, title, optional = [] }]) => {
      const schema = toDraft2020(generator.createSchema(type));
      const required = schema.required.filter((key) => !optional.includes(key));
      return [
        name,
        `${JSON.stringify({ $schema: DRAFT, $id: `urn:passk:schema:${name}`, title, ...schema, required }, null, 2)}\n`,
      ];
    }),
  );
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** The generator speaks draft 07. Numbers stand where they are used, and any JSON is any value. */
function toDraft2020({ $schema: _, definitions = {}, ...root }) {
  const isNumber = ({ type }) => type === 'number' || type === 'integer';
  const inPlace = { Json: {}, JsonObject: { type: 'object' } };
  for (const [name, { description, ...schema }] of Object.entries(definitions)) {
    if (isNumber(schema)) inPlace[name] = schema;
  }
  const convert = ({ $ref, description, anyOf, ...schema }) => {
    const said = description === undefined ? {} : { description };
    const name = $ref?.replace('#/definitions/', '');
    if (name !== undefined) return { ...(inPlace[name] ?? { $ref: `#/$defs/${name}` }), ...said };
    if (anyOf !== undefined) return { ...union(anyOf.map(convert)), ...said };
    const { properties, additionalProperties, items } = schema;
    return {
      ...schema,
      ...(properties !== undefined && { properties: mapped(properties, convert) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: convert(additionalProperties) }),
      ...(Array.isArray(items) ? tuple(items.map(convert)) : items !== undefined && { items: convert(items) }),
      ...said,
    };
  };
  const shared = Object.entries(definitions).filter(([name]) => inPlace[name] === undefined);
  const $defs = mapped(Object.fromEntries(shared), convert);
  return { ...convert(root), ...(shared.length > 0 && { $defs }) };
}

function mapped(record, change) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** One schema for all items where they are alike. */
function tuple(items) {
  const [first, ...others] = items.map((item) => JSON.stringify(item));
  return others.every((other) => other === first) ? { items: items[0] } : { items: false, prefixItems: items };
}

/** `null` joins the types of the branch beside it. */
function union(branches) {
  const [branch, ...others] = branches.filter(({ type }) => type !== 'null');
  const hasNull = others.length + 1 < branches.length;
  if (!hasNull || others.length > 0 || branch.type === undefined || 'const' in branch) return { anyOf: branches };
  const words = branch.enum === undefined ? {} : { enum: [...branch.enum, null] };
  return { ...branch, type: [branch.type, 'null'].flat(), ...words };
}

const isCheck = process.argv.includes('--check');
const schemas = await outputSchemas();
const names = new Set([...Object.keys(schemas), ...readdirSync(FOLDER).map((file) => path.basename(file, '.json'))]);
for (const name of names) keep(path.join(FOLDER, `${name}.json`), schemas[name]);
for (const [name, text] of Object.entries(await definitionTexts(ROOT))) {
  keep(path.join(ROOT, 'src', 'types', 'definitions', `${name}.ts`), text);
}

/** Writes the file where it has another text; without a text there must be no such file. */
function keep(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (isCheck) process.exitCode = 1;
  else if (text === undefined) rmSync(file);
  else writeFileSync(file, text);
  const name = path.parse(file).name;
  process.stdout.write(`${name} ${isCheck ? 'is not what its source says: npm run schemas' : 'written'}\n`);
}
