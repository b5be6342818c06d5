import { Type } from '../../source/schema-type.ts';
import { count, flag, strictTable, texts } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

function allOrNamed(description: string) {
  return Type.Union([Type.Boolean(), Type.Array(Type.String())], { description });
}

const keys = {
  judge: maybe(
    Type.String({
      minLength: 1,
      description: 'A judge of the configuration that verifies each claim; absent: a heuristic check of facts.',
    }),
  ),
  texts: maybe(texts('Contexts as they stand here.')),
  min_score: maybe(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'The share of claims that must be supported, of those that have facts; default 1. With `judge` it stands there.',
    }),
  ),
  min_claims: maybe(
    count('Claims that must be there, without `judge` with facts; default 1, since fewer say nothing of the answer.'),
  ),
};

const description =
  'Contexts must support what the subject says: a judge verifies it, or a heuristic check looks for its facts.';

/** `[expected.faithful]` of a scenario with a workflow. */
export const workflowFaithful = strictTable(
  { ...keys, nodes: maybe(texts('Nodes whose last outputs are contexts.')) },
  description,
);

/** `faithful` of sessions and recorded runs. */
export const trialFaithful = strictTable(
  {
    ...keys,
    documents: maybe(allOrNamed('Documents of the trial by name, or all of them (`true`).')),
    tools: maybe(allOrNamed('Tools whose results are contexts, or all of them (`true`).')),
    user: maybe(flag('What the user said is a context, too.')),
  },
  `${description} Without documents, tools and texts these are all documents and the results of all tools.`,
);
