import { textAt } from '../../values/json-fields.ts';
import type { ServedFormat } from './served-format.ts';

/** A format with a path of its own, whose body names the model and says whether it wants events. */
export function servedAt(path: string): Pick<ServedFormat, 'place' | 'asked'> {
  return {
    place: `/v1${path}`,
    // Clients differ in whether an address ends with /v1.
    asked: (asked, body) =>
      asked.replace(/^(?:\/v1)*/, '') === path
        ? { model: textAt(body, 'model'), stream: body['stream'] === true }
        : null,
  };
}
