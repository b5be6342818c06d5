import type { TSchema } from 'typebox';
import { pricesSchema } from '../baseline/price-table.schema.ts';
import { Type } from '../source/schema-type.ts';
import { DRIFT_RULES } from '../types/drift.ts';
import { ISOLATIONS } from '../types/isolation.ts';
import { SAMPLERS } from '../types/scenario.ts';
import type { PasskConfig } from './define-config.ts';
import { modelsSchema } from './models-schema.ts';

const texts = (description: string): TSchema => Type.Array(Type.String({ minLength: 1 }), { description });
const file = (description: string): TSchema => Type.String({ minLength: 1, description });
const grant = (description: string): TSchema =>
  Type.Union([Type.Boolean(), Type.Array(Type.String({ minLength: 1 }))], { description });
const whole = (minimum: number, maximum: number, description: string): TSchema =>
  Type.Integer({ minimum, maximum, description });

const FIELDS: Readonly<Record<keyof PasskConfig, TSchema>> = {
  paths: texts('Scenario files, folders or globs, for command lines that name none.'),
  names: texts('Only scenarios whose name contains one of these, or matches one written as /pattern/.'),
  tags: texts('Only scenarios with one of these tags or capabilities.'),
  plugins: texts('Modules with plug-ins that scenarios may name.'),
  allow: Type.Object(
    {
      net: Type.Optional(grant('Hosts: `host`, `host:port` or `*.host`; private addresses only where named.')),
      run: Type.Optional(grant('Programs, by name or path.')),
      env: Type.Optional(grant('Names of environment variables.')),
      read: Type.Optional(grant('Files and folders, with all below them.')),
      write: Type.Optional(grant('Files and folders, with all below them.')),
    },
    { additionalProperties: false, description: 'What passk may do on this machine.' },
  ),
  models: modelsSchema((key) => key),
  maxCost: Type.Number({ exclusiveMinimum: 0, description: 'What all calls to real models may cost, in USD.' }),
  maxTokens: whole(1, Number.MAX_SAFE_INTEGER, 'Tokens that all calls to real models may use.'),
  trials: whole(1, 2 ** 32, 'Trials of every scenario, instead of its own number.'),
  seed: whole(0, Number.MAX_SAFE_INTEGER, 'The seed of every random choice.'),
  sampler: Type.Union(
    SAMPLERS.map((sampler) => Type.Literal(sampler)),
    { description: 'How variants are chosen.' },
  ),
  workers: whole(0, 1024, 'Worker threads; 0 runs inline.'),
  isolation: Type.Union(
    ISOLATIONS.map((isolation) => Type.Literal(isolation)),
    { description: 'What a worker is.' },
  ),
  concurrency: whole(1, 100_000, 'Trials in flight at once, of scenarios that wait for the outside world.'),
  minPassRate: Type.Number({ minimum: 0, maximum: 1, description: 'The pass rate that every scenario must reach.' }),
  gates: texts('Further conditions on the run, such as "pass^8 >= 0.9".'),
  reporters: texts('Reports to make: NAME, or NAME:path.'),
  baseline: file('Compare with this run; regressions fail the gate.'),
  saveBaseline: file('Where to write every run for later ones to be compared with.'),
  drift: Type.Union(
    DRIFT_RULES.map((rule) => Type.Literal(rule)),
    { description: 'Which drops are regressions: those beyond chance, or any.' },
  ),
  tokenTolerance: Type.Number({ minimum: 0, description: 'Rise of tokens per trial that is tolerated.' }),
  driftMargin: Type.Number({
    minimum: 0,
    exclusiveMaximum: 1,
    description: "Fall of the suite's mean pass rate that is tolerated.",
  }),
  driftComparisons: Type.Integer({ minimum: 1, description: 'How many runs will be compared with the baseline.' }),
  forecastRunsPerDay: Type.Array(Type.Number({ minimum: 0 }), {
    minItems: 1,
    description: 'Say what so many successful runs a day cost.',
  }),
  prices: pricesSchema,
  history: file('A folder that keeps every run.'),
  journal: file('A folder that results are written to while they come.'),
  resume: Type.Boolean({ description: 'Take what the journal holds and run the rest.' }),
  dedupe: Type.Boolean({ description: 'Run trials that must be the same once, and count the others like them.' }),
  bail: Type.Boolean({ description: 'Stop at the first failing trial.' }),
  stopEarly: Type.Union([Type.Boolean(), Type.Literal('curtail'), Type.Literal('sprt')], {
    description: 'End each scenario when its verdict is settled, or when a sequential test has decided.',
  }),
  timeoutMs: whole(1, Number.MAX_SAFE_INTEGER / 1000, 'Time limit of every trial, in milliseconds.'),
  keepGoing: Type.Boolean({ description: 'Run the other scenarios when some cannot be loaded.' }),
  maxFileSize: whole(1, Number.MAX_SAFE_INTEGER, 'Larger scenario and workflow files are refused, in bytes.'),
};

/** What `passk.config.js` may export, or `passk.toml` may say. */
export function configSchema(isToml: boolean): TSchema {
  const fields = isToml ? { ...FIELDS, models: modelsSchema(snakeKey) } : FIELDS;
  return tableOf(Object.entries(fields).map(([key, schema]) => [isToml ? snakeKey(key) : key, schema]));
}

/** `minPassRate` → `min_pass_rate`. */
export function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function tableOf(fields: readonly (readonly [string, TSchema])[]): TSchema {
  const optional = fields.map(([key, schema]) => [key, Type.Optional(schema)] as const);
  return Type.Object(Object.fromEntries(optional), { additionalProperties: false });
}
