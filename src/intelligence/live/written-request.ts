import { PasskError } from '../../errors.ts';
import type { JsonObject } from '../../types/json.ts';
import type { ModelEndpoint, WrittenRequest } from '../../types/model-endpoint.ts';
import { writeJson } from '../../values/exact-json.ts';
import { MEDIA_TOKENS } from './model-cost.ts';
import { PROVIDERS } from './providers/provider.ts';
import type { WireRequest } from './providers/protocol.ts';

/**
 * What an agent wrote, as the endpoint gets it: for the endpoint's model, as a whole answer, capped where a cap is given. All
 * else is the agent's. Throws `INTERNAL` where the endpoint takes another format.
 */
export function asWritten(
  { format, body }: WrittenRequest,
  { provider, model }: ModelEndpoint,
  most: number | null,
): WireRequest & { /** Null: nothing caps the answers. */ readonly maxTokens: number | null } {
  const { written } = PROVIDERS[provider];
  if (written?.format !== format) throw new PasskError('INTERNAL', `${provider} takes no ${format}.`);
  const asked = written.askedIn(body);
  const cap = leastOf([asked.cap, most]);
  return {
    ...written.write(body, { model, cap }),
    maxTokens: cap === null ? null : cap * Math.max(1, asked.answers),
  };
}

/** The least of those that are there; null: none is. */
export function leastOf(caps: readonly (number | null | undefined)[]): number | null {
  const there = caps.filter((cap) => cap !== null && cap !== undefined);
  return there.length === 0 ? null : Math.min(...there);
}

/** At least as many tokens as a request can have: no tokenizer in use makes more than one of a byte. */
export function mostWrittenTokens(body: JsonObject): number {
  const text = writeJson(body);
  const media = text.match(MEDIA)?.length ?? 0;
  return Buffer.byteLength(text) + media * MEDIA_TOKENS;
}

/** Parts that are no text, as all formats name them. */
const MEDIA =
  /"type":"(?:image_url|input_image|image|input_audio|input_file|file|document)"|"(?:inlineData|fileData|inline_data|file_data)":/g;
