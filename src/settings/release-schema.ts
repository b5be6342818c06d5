import type { TSchema } from 'typebox';
import { Type } from '../source/schema-type.ts';
import type { JsonObject } from '../types/json.ts';
import { LEDGER_KINDS } from '../types/record.ts';
import { SUITE_NAMES } from '../types/release/origin.ts';
import { type ReleaseSettings, TIERS, type TierRules } from '../types/release/release-rules.ts';
import { data } from './kinds.ts';

const closed = { additionalProperties: false };
const words = (description: string): TSchema => Type.String({ minLength: 1, description });
/** A settings file may lead nobody to a file of passwords, whose lines would stand in messages. */
const fileOf = (kinds: string, description: string): TSchema =>
  Type.String({ pattern: `\\.(?:${kinds})$`, description });
const share = (description: string): TSchema => Type.Number({ minimum: 0, maximum: 1, description });
const wholeNumber = (description: string): TSchema => Type.Integer({ minimum: 0, maximum: 1_000_000, description });
const usd = (description: string): TSchema => Type.Number({ minimum: 0, maximum: 1e6, description });
const rules = (description: string): TSchema =>
  Type.Array(Type.String({ description: 'A gate expression.' }), { description });

const TIER_FIELDS: Readonly<Record<keyof TierRules, TSchema>> = {
  trials: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Trials of each scenario.' }),
  outcome: rules('What passes of which suites must come to.'),
  trajectory: rules('The same for the trajectory, which only informs.'),
  faithfulness: rules('The same for faithfulness: name the scenarios that show it.'),
  maxTrivial: share('Greatest share of scenarios that a subject which can do nothing may pass.'),
  maxAttackSuccess: share('Greatest share of attacks that may succeed.'),
  attackLevel: Type.Number({ minimum: 0.5, exclusiveMaximum: 1, description: 'Level of its one-sided bound.' }),
  owaspCoverage: Type.Boolean({ description: 'Each of the ten OWASP categories must be tried.' }),
  maxErrorRate: share('Greatest share of trials that may end in errors.'),
  maxCostPerSuccess: usd('The most that a success may cost, in USD.'),
  costSlack: Type.Number({ minimum: 0, description: 'Times the cost per success of the prior release.' }),
  suites: Type.Array(Type.Enum(SUITE_NAMES), { description: 'Suites that must have a scenario.' }),
  governed: Type.Boolean({ description: 'Scenarios must name their suite, and be reviewed for the release.' }),
  golden: Type.Array(wholeNumber('Scenarios.'), {
    minItems: 2,
    maxItems: 2,
    description: 'Scenarios that the suite regression must have, at least and at most.',
  }),
  maxAgeDays: Type.Object(Object.fromEntries(SUITE_NAMES.map((name) => [name, Type.Optional(wholeNumber('Days.'))])), {
    ...closed,
    description: 'Days after which scenarios of a suite are stale.',
  }),
  pinned: Type.Boolean({ description: 'A model that may change under its name is refused.' }),
  allowTrajectoryGate: Type.Boolean({ description: 'Rules on the trajectory decide, too.' }),
  canary: Type.Array(wholeNumber('Percent of traffic.'), {
    description: 'Stages of the canary that need a criterion.',
  }),
};

const tierSchema = Type.Object(
  Object.fromEntries(Object.entries(TIER_FIELDS).map(([name, schema]) => [name, Type.Optional(schema)])),
  { ...closed, description: 'Rules of the tier, in place of its defaults.' },
);

const FIELDS: Readonly<Record<keyof ReleaseSettings, TSchema>> = {
  candidate: Type.Object(
    { name: Type.Optional(words('Its name.')), version: Type.Optional(words('Its version.')) },
    { ...closed, description: 'What is released.' },
  ),
  id: words('The release that reviews must name.'),
  tier: Type.Enum(TIERS, { description: 'How much the release is trusted with.' }),
  rates: fileOf('toml', 'File with the prices, whose name ends with .toml.'),
  billing: Type.Object(
    {
      file: fileOf('csv|json', 'A file whose name ends with .csv, or with .json, which holds a list of rows.'),
      amount: Type.Optional(words('The column of what is billed, in USD; default cost.')),
      currency: Type.Optional(words('The column of the currency, which must be USD.')),
      only: Type.Optional(
        Type.Object(
          {},
          { additionalProperties: Type.String(), description: 'Only rows with this text in this column count.' },
        ),
      ),
      item: Type.Optional(words('The column of what a row is for, such as a model; left out: only sums are compared.')),
      items: Type.Optional(
        Type.Object(
          {},
          {
            additionalProperties: words('Its name.'),
            description: 'The name in the ledger of what the bill calls otherwise.',
          },
        ),
      ),
      kinds: Type.Optional(
        Type.Array(Type.Enum([...LEDGER_KINDS]), { minItems: 1, description: 'Kinds of lines that the bill covers.' }),
      ),
      tolerance: Type.Optional(share('Share of the bill by which the ledger may differ; default 0.05.')),
    },
    { ...closed, description: 'What a provider billed.' },
  ),
  log: words('File of the audit log.'),
  issueSink: words('File that gets an issue for each thing that fails.'),
  models: Type.Object(
    {},
    { additionalProperties: words('The model.'), description: 'The model that plays each role in the candidate.' },
  ),
  canary: Type.Array(
    Type.Object(
      { percent: wholeNumber('Percent of traffic.'), criterion: words('What must hold before the next stage.') },
      closed,
    ),
    { description: 'Stages of the canary.' },
  ),
  tiers: Type.Object(Object.fromEntries(TIERS.map((tier) => [tier, Type.Optional(tierSchema)])), {
    ...closed,
    description: 'Rules of tiers.',
  }),
};

/** `[release]` of a configuration file. */
export const releaseSchema: JsonObject = data(
  Type.Object(
    Object.fromEntries(Object.entries(FIELDS).map(([name, schema]) => [name, Type.Optional(schema)])),
    closed,
  ),
);
