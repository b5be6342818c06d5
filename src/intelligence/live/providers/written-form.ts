import { countAt } from '../../../values/json-fields.ts';
import type { WireRequest, WrittenForm } from './protocol.ts';

export interface FlatForm extends Omit<WireRequest, 'body'> {
  readonly format: WrittenForm['format'];
  /** Keys of the body; the first is written where a cap is needed and none of them is there. */
  readonly caps: readonly [string, ...string[]];
}

/** A format that names model, cap and number of answers at the top of its body, as those of OpenAI and Anthropic do. */
export function flatForm({ format, path, headers, caps }: FlatForm): WrittenForm {
  return {
    format,
    askedIn: (body) => {
      const own = caps.find((key) => countAt(body, key) !== null);
      return { cap: own === undefined ? null : countAt(body, own), answers: countAt(body, 'n') ?? 1 };
    },
    write: (body, { model, cap }) => {
      const { stream: _, stream_options: __, ...rest } = body;
      const own = caps.find((key) => countAt(body, key) !== null) ?? caps[0];
      return { path, headers, body: { ...rest, model, ...(cap !== null && { [own]: cap }) } };
    },
  };
}
