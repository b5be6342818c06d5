import type { StateValue } from '../types/value-test.ts';
import type { SchemaCompiler } from '../matching/value-test.ts';
import { withoutAnyOrder, withoutOrder } from '../sessions/world/state-order.ts';
import type { Json } from '../types/json.ts';
import type { StateExpectation } from '../types/session.ts';
import { deepEqual } from '../values/deep-equal.ts';
import { jsonDifferences } from '../values/json-differences.ts';
import { selectSegments, splitPath } from '../values/select-path.ts';
import type { TrialView } from './check.ts';
import type { CheckParts } from './make-check.ts';
import { showName, showValue } from './show-value.ts';
import { showTest } from './value-test.ts';

/** Places that one finding names. */
const SHOWN = 5;

/** The checks of `[tasks.expected.state]`: against the gold state, its schema, then place by place. */
export function stateChecks(
  { gold, unordered, schema, values }: StateExpectation,
  compileSchema: SchemaCompiler,
): readonly CheckParts[] {
  return [
    ...(gold === undefined ? [] : [{ ...goldStateCheck(gold, unordered), key: ['gold'] }]),
    ...(schema === undefined
      ? []
      : [{ ...stateSchemaCheck(schema, compileSchema(schema)), key: ['expected', 'state_schema'] }]),
    ...values.map((value, index) => ({ ...stateValueCheck(value, compileSchema), key: ['expected', 'state', index] })),
  ];
}

/** `state`: compares the state with what the gold calls make of a fresh one. */
function goldStateCheck(gold: Json, unordered: StateExpectation['unordered']): CheckParts {
  const wanted = withoutOrder(gold, unordered);
  const alike = (state: Json): Json => withoutOrder(state, unordered);
  /** A place where nothing stands is left out: null is a value like any other. */
  const placesOf = (view: TrialView, side: 'got' | 'wanted'): Json => {
    const found = jsonDifferences(alike(afterOf(view) ?? null), wanted, SHOWN);
    return Object.fromEntries(
      found.flatMap(({ at, ...one }) => {
        const value = one[side];
        return value === undefined ? [] : [[at.join('.'), value] as const];
      }),
    );
  };
  return {
    name: 'state',
    expected: (view) => placesOf(view, 'wanted'),
    wanted: 'the state that the gold calls make',
    holds: (view) => {
      const state = afterOf(view);
      return state !== undefined && (state === gold || deepEqual(alike(state), wanted));
    },
    got: (view) => placesOf(view, 'got'),
    saw: (view) => {
      const state = afterOf(view);
      if (state === undefined) return 'no state';
      const got = alike(state);
      if (deepEqual(got, wanted)) return 'it';
      // The difference may be one of order alone, which an author may not have meant.
      if (deepEqual(withoutAnyOrder(got), withoutAnyOrder(wanted))) return `ORDER_ONLY: ${differencesIn(got, wanted)}`;
      return differencesIn(got, wanted);
    },
  };
}

function differencesIn(got: Json, wanted: Json): string {
  const found = jsonDifferences(got, wanted, SHOWN + 1);
  const shown = found
    .slice(0, SHOWN)
    .map(
      ({ at, ...values }) => `${showName(at.join('.'))} ${shownAs(values.got)} in place of ${shownAs(values.wanted)}`,
    );
  return [...shown, ...(found.length > SHOWN ? ['and more'] : [])].join('; ');
}

function shownAs(value: Json | undefined): string {
  return value === undefined ? 'nothing' : showValue(value);
}

function stateSchemaCheck(schema: Json, violations: (value: Json) => readonly string[]): CheckParts {
  const violated = (view: TrialView): readonly string[] => {
    const state = afterOf(view);
    return state === undefined ? ['there is no state'] : violations(state);
  };
  return {
    name: 'state schema',
    expected: schema,
    wanted: 'a state that fits the schema',
    holds: (view) => violated(view).length === 0,
    got: (view) => afterOf(view) ?? null,
    saw: (view) => violated(view)[0] ?? 'one that fits',
  };
}

function stateValueCheck({ at, test }: StateValue, compileSchema: SchemaCompiler): CheckParts {
  const name = `state ${showName(at)} ${test.kind}`;
  const shown = showTest(test, name, compileSchema);
  const segments = splitPath(at);
  const found = (view: TrialView): Json | undefined => {
    const state = afterOf(view);
    return state === undefined ? undefined : selectSegments(state, segments);
  };
  return {
    name,
    expected: shown.expected,
    wanted: shown.wanted,
    holds: (view) => shown.holds(found(view)),
    got: (view) => found(view) ?? null,
    saw: (view) => shown.saw(found(view)),
  };
}

/** The state when the trial had ended; undefined: it has none. */
function afterOf(view: TrialView): Json | undefined {
  return view.state()?.after;
}
