import type { TSchema } from 'typebox';
import { invariantTypes } from '../../checks/invariants/builtin.ts';
import { invariantSchemas } from '../../checks/invariants/builtin-schemas.ts';
import { originKeys } from '../../scenario/origin-schema.ts';
import { Type } from '../../source/schema-type.ts';
import { SEVERITIES, WHENS } from '../../types/invariant.ts';
import { flag, oneOf, strictTable, text, texts } from '../../workflow/schema-parts.ts';
import { contractMutationSchema } from '../mutations/mutation-schema.ts';
import { agentSchema } from './agent-schema.ts';
import { chaosKeys, chaosSchema } from './chaos-schema.ts';
import { replaysSchema } from './replays/replay-schema.ts';

const maybe = Type.Optional;

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const usd = (description: string) => Type.Number({ minimum: 0, description });

/** A rule of a contract, or of whatever else is judged by rules. */
export const invariantSchema = strictTable(
  {
    id: maybe(text('Unique in the contract.')),
    type: maybe(
      oneOf(
        invariantTypes.map(({ type }) => type),
        'What it looks at.',
      ),
    ),
    description: maybe(text('What the rule is for.')),
    severity: maybe(oneOf(SEVERITIES, 'How much it weighs; default `medium`. One critical failure fails all.')),
    when: maybe(oneOf(WHENS, 'In which columns it is judged; default `always`.')),
    negate: maybe(flag('The rule must not hold.')),
    probes: maybe(texts('Asked instead of the prompts.')),
    ...ruleKeys(),
  },
  'A rule that the subject must obey.',
);

/** The keys of all types together; which of them a rule needs, its reader says. */
function ruleKeys(): Record<string, TSchema> {
  const keys = invariantSchemas.flatMap((schema) => Object.entries(schema.keys));
  return Object.fromEntries(keys.map(([key, schema]) => [key, maybe(schema)]));
}

const invariants = maybe(Type.Array(invariantSchema, { description: 'Rules that the subject must obey.' }));

const matrix = maybe(
  Type.Array(strictTable({ name: maybe(text('Name of the column.')), ...chaosKeys }, 'A column of the matrix.'), {
    description: 'Ways in which the world breaks while the invariants must hold.',
  }),
);

/** A contract by itself. */
export const bareContractSchema = strictTable(
  {
    name: maybe(text('Label in reports; where several files have one of that name, the file stands behind it.')),
    description: maybe(text('What the contract is for.')),
    trials: maybe(
      Type.Integer({ minimum: 1, maximum: 4_294_967_296, description: 'Trials of each column and prompt; default 1.' }),
    ),
    min_pass_rate: maybe(share('Share of judged answers that must obey for a cell to pass; default 1.')),
    min_score: maybe(share('The lowest score, from 0 to 1, with which the contract passes; left out: none.')),
    prompts: maybe(texts('What the subject is asked; the same as golden_prompts.')),
    prompt_key: maybe(text("Key of the trigger's payload that the prompt goes to; dots lead inwards. Default prompt.")),
    price: maybe(
      strictTable(
        {
          input: usd('USD per million tokens of prompts.'),
          output: usd('USD per million tokens of answers.'),
        },
        'For `max_cost`: what tokens cost, where the command line does not say.',
      ),
    ),
    similarity: maybe(text('What compares texts: `lexical` (default), or a plug-in of this kind.')),
    stack: maybe(flag('Puts [chaos] under every column of the matrix.')),
    invariants,
    chaos_matrix: matrix,
  },
  'A named set of invariants and the ways in which the world breaks while they must hold.',
);

const scores = {
  mutation: maybe(share('Default 0.20.')),
  chaos: maybe(share('Default 0.35.')),
  contract: maybe(share('Default 0.35.')),
  replay: maybe(share('Default 0.10.')),
};

const opaque = (description: string) => maybe(Type.Unknown({ description }));

/** Keys of the root that make a file a contract file. */
export const contractKeys = {
  version: maybe(Type.Union([Type.String(), Type.Number()], { description: 'Switches nothing.' })),
  contract: maybe(bareContractSchema),
  agent: maybe(agentSchema),
  golden_prompts: maybe(texts('What the subject is asked.')),
  invariants,
  chaos: maybe(chaosSchema),
  chaos_matrix: matrix,
  scoring: maybe(
    strictTable(
      { ...scores, weights: maybe(strictTable(scores, 'The shares.')) },
      'Shares of the phases in the overall score; their sum is 1.',
    ),
  ),
  model: opaque('The model that writes mutations.'),
  mutations: maybe(contractMutationSchema),
  replays: maybe(replaysSchema),
  output: opaque('Where the reference writes its reports; here `--reporter` decides.'),
  advanced: maybe(
    strictTable(
      {
        concurrency: maybe(
          Type.Integer({ description: 'Default of agent.concurrency: calls at a time of an agent that is stateless.' }),
        ),
        retries: maybe(Type.Integer({ minimum: 0, maximum: 5, description: 'Default of agent.retries.' })),
        seed: maybe(Type.Integer({ minimum: 0, description: "Replaces the suite's seed." })),
      },
      'Settings of the reference.',
    ),
  ),
} satisfies Record<string, TSchema>;

/** The root of a contract file; in TOML the keys of a scenario stand beside them. */
export const contractFileSchema = strictTable({ ...contractKeys, ...originKeys }, 'A contract file.');
