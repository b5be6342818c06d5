import type { NodeType } from '../../plugin/node-type.ts';
import { selectSegments, splitPath } from '../../values/select-path.ts';
import { notSet } from '../error-move.ts';
import type { JsonSelectKeys } from '../../types/definitions/node-keys.ts';

/** Picks the value at a path inside another value; nothing there is no error. */
export const jsonSelect: NodeType<JsonSelectKeys> = {
  kind: 'node',
  type: 'json_select',
  summary: 'Picks a value inside another by its path.',
  capability: 'json_select',
  needs: () => [],
  labels: () => [],
  outputKeys: ['value', 'found'],
  create: ({ inputFrom, path }) => {
    const segments = splitPath(path);
    return {
      reads: [{ from: 'path', path: inputFrom }],
      begin: ([input]) => {
        if (input === undefined) return notSet(inputFrom);
        const value = selectSegments(input, segments);
        return { kind: 'done', output: { value: value ?? null, found: value !== undefined } };
      },
    };
  },
};
