import type { SchemaCompiler } from '../../engine/json-schema.ts';
import { compileValueTest, passes, testedText } from '../../matching/value-test.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { WorldCondition } from '../../types/sessions/declared-world.ts';
import type { ValueTest } from '../../types/value-test.ts';
import { selectSegments } from '../../values/select-path.ts';
import { compilePlace } from './compile-place.ts';
import { compileFill, compileLookup } from './fill.ts';
import { requireBounded } from './require-bounded.ts';

/** Compiles a condition of a step, on a place of the state or on a value of the call. */
export function compileCondition(
  { of, test }: WorldCondition,
  compileSchema: SchemaCompiler,
): (progress: { readonly state: Json; readonly names: JsonObject }) => boolean {
  const holds = compileTest(test, compileSchema);
  if (of.kind === 'place') {
    const placeOf = compilePlace(of.at);
    return ({ state, names }) => holds(selectSegments(state, placeOf(names)), names);
  }
  const find = compileLookup(of.value);
  return ({ names }) => holds(find(names), names);
}

/** A test whose value may hold markers. */
function compileTest(
  test: ValueTest,
  compileSchema: SchemaCompiler,
): (value: Json | undefined, names: JsonObject) => boolean {
  switch (test.kind) {
    case 'exists':
    case 'matches':
    case 'schema':
      return compileValueTest(test, 'A tool', compileSchema);
    case 'in': {
      const values = compileFill(test.values);
      return (value, names) => passes({ kind: 'in', values: values(names) }, value);
    }
    case 'contains': {
      const text = compileFill(test.text);
      return (value, names) => value !== undefined && testedText(value).includes(testedText(text(names)));
    }
    default: {
      const { kind } = test;
      const bound = compileFill(test.value);
      return (value, names) => {
        const filled = bound(names);
        requireBounded(filled, () => 'a value that is compared');
        return passes({ kind, value: filled }, value);
      };
    }
  }
}
