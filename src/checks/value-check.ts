import type { SchemaCompiler } from '../matching/value-test.ts';
import type { Json } from '../types/json.ts';
import type { ValueExpectation } from '../types/scenarios/expected.ts';
import { selectSegments, splitPath } from '../values/select-path.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { UNKNOWN, type NodePositions } from './node-positions.ts';
import { showName } from './show-value.ts';
import { showTest } from './value-test.ts';

/** One of `values`: a test of the final value or a node's last output. Never holds for a node that does not exist. */
export function valueCheck(
  expectation: ValueExpectation,
  nodes: NodePositions,
  compileSchema: SchemaCompiler,
): CheckParts {
  const { node, path, test } = expectation;
  const place = [node ?? 'final_value', ...(path ? [path] : [])].join('.');
  const name = `${node === undefined ? '' : 'value '}${showName(place)} ${test.kind}`;
  const compiled = showTest(test, name, compileSchema);
  const position = node === undefined ? null : nodes.of(node);
  const segments = splitPath(path ?? '');
  const select = (view: TrialView): Json | undefined => {
    const value = position === null ? view.finalValue : view.output(position);
    return value === undefined ? undefined : selectSegments(value, segments);
  };
  const absentNode = { holds: () => false, got: () => null, saw: () => 'no node of that name' };
  const presentNode = {
    holds: (view: TrialView) => compiled.holds(select(view)),
    got: (view: TrialView) => select(view) ?? null,
    saw: (view: TrialView) => compiled.saw(select(view)),
  };
  return {
    name,
    ...(node === undefined ? { onEnding: true } : { at: node }),
    expected: compiled.expected,
    wanted: compiled.wanted,
    ...(position === UNKNOWN ? absentNode : presentNode),
  };
}
