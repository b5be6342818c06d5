import { Type } from '../../source/schema-type.ts';
import { count, flag, strictTable, texts } from '../../workflow/schema-parts.ts';

const maybe = Type.Optional;

function allOrNamed(description: string) {
  return Type.Union([Type.Boolean(), Type.Array(Type.String())], { description });
}

/** What supports what is said, and how much of it. `when`: what every description begins with. */
function contextKeys(when = '') {
  return {
    texts: texts(`${when}Contexts as they stand here.`),
    min_score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: `${when}The share of claims that must be supported, of those that have facts; default 1. With \`judge\` it stands there.`,
    }),
    min_claims: count(
      `${when}Claims that must be there, without \`judge\` with facts; default 1, since fewer say nothing of the answer.`,
    ),
    nodes: texts(`${when}Nodes of a workflow whose last outputs are contexts.`),
    documents: allOrNamed(`${when}Documents of the trial by name, or all of them (\`true\`).`),
    tools: allOrNamed(`${when}Tools whose results are contexts, or all of them (\`true\`).`),
    user: flag(`${when}What the user said is a context, too.`),
  };
}

/** The keys of an invariant, which stand in one table with those of others. */
export const faithfulKeys = contextKeys('For `faithful`: ');

const { nodes, documents, tools, user, ...shared } = contextKeys();

const keys = {
  judge: maybe(
    Type.String({
      minLength: 1,
      description: 'A judge of the configuration that verifies each claim; absent: a heuristic check of facts.',
    }),
  ),
  texts: maybe(shared.texts),
  min_score: maybe(shared.min_score),
  min_claims: maybe(shared.min_claims),
};

const description =
  'Contexts must support what the subject says: a judge verifies it, or a heuristic check looks for its facts.';

/** `[expected.faithful]` of a scenario with a workflow. */
export const workflowFaithful = strictTable({ ...keys, nodes: maybe(nodes) }, description);

/** `faithful` of sessions and recorded runs. */
export const trialFaithful = strictTable(
  { ...keys, documents: maybe(documents), tools: maybe(tools), user: maybe(user) },
  `${description} Without documents, tools and texts these are all documents and the results of all tools.`,
);
