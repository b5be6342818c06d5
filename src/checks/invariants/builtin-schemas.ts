import { moduleSchema, pluginSchema } from './code-rules.schema.ts';
import { containsAnySchema, containsSchema, outputNotEmptySchema } from './content-rules.schema.ts';
import { completesSchema, policyDeniedSchema, stoppedBySchema } from './ending-rules.schema.ts';
import { jsonSchemaSchema, validJsonSchema } from './format-rules.schema.ts';
import type { InvariantSchema } from './invariant-schema.ts';
import { faithfulSchema, judgedSchema, preferredSchema } from './judge-rule.schema.ts';
import { latencySchema, maxCostSchema, maxTokensSchema } from './measure-rules.schema.ts';
import { excludesPatternSchema, regexSchema } from './pattern-rules.schema.ts';
import { excludesPiiSchema } from './pii-rule.schema.ts';
import { refusalCheckSchema } from './refusal-rule.schema.ts';
import { behaviorUnchangedSchema, similarToSchema } from './similarity-rules.schema.ts';
import { toolCalledSchema, toolNotCalledSchema } from './tool-rules.schema.ts';

/** How each type of invariant stands in a file; main thread only, because it pulls in TypeBox. */
export const invariantSchemas: readonly InvariantSchema[] = [
  containsSchema,
  containsAnySchema,
  regexSchema,
  excludesPatternSchema,
  latencySchema,
  similarToSchema,
  behaviorUnchangedSchema,
  jsonSchemaSchema,
  maxTokensSchema,
  maxCostSchema,
  toolCalledSchema,
  toolNotCalledSchema,
  policyDeniedSchema,
  stoppedBySchema,
  refusalCheckSchema,
  validJsonSchema,
  outputNotEmptySchema,
  completesSchema,
  excludesPiiSchema,
  moduleSchema,
  pluginSchema,
  judgedSchema,
  preferredSchema,
  faithfulSchema,
];
