import { Type } from '../source/schema-type.ts';
import {
  authSchema,
  budgetSchema,
  httpRouteSchema,
  intelligenceSchema,
  loggingSchema,
  mcpServerSchema,
  secretSchema,
  serverSchema,
  signingSchema,
  triggerSchema,
} from './block-schemas.ts';
import { policySchema } from './policy-schema.ts';
import { count, oneOf, strictTable, text, u32 } from './schema-parts.ts';

const maybe = Type.Optional;

/** A node: its keys depend on its type, so nodes are checked one by one. */
const anyTable = Type.Object({}, { additionalProperties: true });

/** One of `[[start_nodes]]`. */
export const startNodeSchema = strictTable(
  {
    name: text('The name a trigger starts it by.'),
    source: oneOf(['event', 'http', 'manual'], 'What kind of trigger it is meant for.'),
    entry_node: maybe(text('First node; left out: the only node without incoming edges.')),
  },
  'A place where runs begin.',
);

/** One of `[[edges]]`. */
export const edgeSchema = strictTable(
  {
    from: text('Node it leaves.'),
    to: text('Node it leads to.'),
    when: maybe(text('Branch label it answers; left out: followed when the node gives none.')),
    max_iterations: maybe(u32('Makes it a loop edge that can be followed this often in one run.')),
  },
  'A connection between two nodes.',
);

/** The `retry` table of a node. */
export const retrySchema = strictTable(
  {
    max_attempts: u32('Attempts in all; 0 counts as 1.'),
    backoff_ms: maybe(count('Milliseconds before attempt k + 1 is this times k; default 100.')),
    on: maybe(oneOf(['any', 'transient'], '`transient`: tool, model and MCP errors only; default `any`.')),
    jitter: maybe(Type.Number({ description: 'Spread of the wait, 0 to 0.5.' })),
  },
  'Tries the node again after an error; denials are never retried.',
);

/** A workflow document in its bare form; nodes are checked one by one afterwards. */
export const workflowSchema = strictTable(
  {
    name: text('Name of the workflow.'),
    description: maybe(text('What it is for.')),
    start_nodes: maybe(Type.Array(startNodeSchema, { description: 'Where runs begin.' })),
    triggers: maybe(Type.Array(triggerSchema, { description: 'What starts runs in production; validated only.' })),
    http_routes: maybe(Type.Array(httpRouteSchema, { description: 'HTTP routes; validated only.' })),
    nodes: maybe(Type.Array(anyTable, { description: 'The steps.' })),
    edges: maybe(Type.Array(edgeSchema, { description: 'The connections.' })),
    policy: maybe(policySchema),
    mcp_servers: maybe(Type.Array(mcpServerSchema, { description: 'MCP servers.' })),
    budget: maybe(budgetSchema),
    intelligence: maybe(intelligenceSchema),
    auth: maybe(authSchema),
    logging: maybe(loggingSchema),
    server: maybe(serverSchema),
    signing: maybe(signingSchema),
    secrets: maybe(
      Type.Array(secretSchema, { description: 'Where secrets for headers of requests and MCP servers are kept.' }),
    ),
  },
  'A workflow: typed nodes and declared edges.',
);
