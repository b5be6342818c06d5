import type { ValidatorType } from '../../plugin/validator-type.ts';
import { finishReason, usageSane } from './ending-validators.ts';
import { matchesSchema, validJson } from './json-validators.ts';
import { reasoning, validMedia } from './part-validators.ts';
import { responseShape } from './response-shape.ts';
import { chunksArrive, streamHasToolRequest, streamTextIncludes, streamValidJson } from './stream-validators.ts';
import { textIncludes, textNotEmpty, textStartsWith } from './text-validators.ts';
import { toolRoundTrip } from './tool-round-trip.ts';
import { hasToolRequest, parallelTools, toolInputSchema } from './tool-validators.ts';
import { chunksEqualText, streamsIncrementally } from './whole-stream-validators.ts';

/** What answers of models can be judged by, in the order in which docs list it: Genkit's ten, then passk's own. */
export const validatorTypes: readonly ValidatorType[] = [
  hasToolRequest,
  validJson,
  textIncludes,
  textStartsWith,
  textNotEmpty,
  validMedia,
  reasoning,
  streamTextIncludes,
  streamHasToolRequest,
  streamValidJson,
  matchesSchema,
  toolInputSchema,
  chunksEqualText,
  streamsIncrementally,
  finishReason,
  usageSane,
  toolRoundTrip,
  parallelTools,
  chunksArrive,
  responseShape,
];

/** The rules that each test is judged by before its own validators, in order. */
export function leadingValidators({ stream }: { readonly stream: boolean }): readonly ValidatorType[] {
  return stream ? [chunksArrive, responseShape] : [responseShape];
}
