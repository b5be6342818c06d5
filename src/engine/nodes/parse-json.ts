import type { NodeType } from '../../plugin/node-type.ts';
import { errorMove, notText } from '../error-move.ts';
import { parseJsonText } from '../parse-json-text.ts';
import type { ParseJsonKeys } from '../../types/definitions/node-keys.ts';

/** Turns text into the value it is JSON of; anything but exactly one document is an error. */
export const parseJson: NodeType<ParseJsonKeys> = {
  kind: 'node',
  type: 'parse_json',
  summary: 'Parses text as one JSON document.',
  capability: 'parse_json',
  needs: () => [],
  labels: () => [],
  outputKeys: ['parsed'],
  create: ({ inputFrom }) => ({
    reads: [{ from: 'path', path: inputFrom }],
    begin: ([text]) => {
      if (typeof text !== 'string') return notText(inputFrom, text);
      const parsed = parseJsonText(text);
      if (!parsed.ok) return errorMove('tool', `invalid JSON at \`${inputFrom}\`: ${parsed.message}`);
      return { kind: 'done', output: { parsed: parsed.value } };
    },
  }),
};
