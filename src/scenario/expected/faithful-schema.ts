import { Type } from '../../source/schema-type.ts';
import { count, flag, strictTable, texts } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

function allOrNamed(description: string) {
  return Type.Union([Type.Boolean(), Type.Array(Type.String())], { description });
}

const keys = {
  texts: maybe(texts('Contexts as they stand here.')),
  min_score: maybe(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The share of claims that must be supported, of those that have facts; default 1.',
    }),
  ),
  min_claims: maybe(count('Claims with facts that must be there; default 1, since fewer say nothing of the answer.')),
};

const description =
  'The facts of what the subject says must stand in contexts. A heuristic check, which compares facts and no meanings.';

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
