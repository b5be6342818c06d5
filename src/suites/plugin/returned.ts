import type { TSchema } from 'typebox';
import { valueProblems } from '../../source/check-schema.ts';
import { Type } from '../../source/schema-type.ts';
import { invariantTypes } from '../../checks/invariants/builtin.ts';
import type { SuiteOutcome, SuitePlan, SuiteProblem } from '../../plugin/suite-type.ts';
import type { Json } from '../../types/json.ts';
import { plainCopy } from '../../values/plain-json.ts';

/** Longest JSON text, about, of what a plug-in returns for one file. */
const MAX_LENGTH = 64 * 1024 * 1024;

const text = Type.String();
const name = Type.String({ minLength: 1 });
const object = Type.Object({});

const planSchema = Type.Object({
  name,
  description: Type.Optional(text),
  data: Type.Optional(object),
  cases: Type.Array(
    Type.Object({
      name,
      subject: Type.Object({ type: name, data: object }),
      trials: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 32 })),
      invariants: Type.Array(
        Type.Object({ id: name, rule: Type.Object({ type: Type.Enum(invariantTypes.map(({ type }) => type)) }) }),
      ),
    }),
    { minItems: 1 },
  ),
});

const step = Type.Union([text, Type.Integer({ minimum: 0 })]);
const problemSchema = Type.Object({ message: text, hint: Type.Optional(text), at: Type.Array(step) });

const outcomeSchema = Type.Object({
  verdict: Type.Enum(['passed', 'failed', 'insufficient'] satisfies SuiteOutcome['verdict'][]),
  reasons: Type.Array(text),
  data: Type.Optional(object),
});

/** What `load` of a plug-in returned: a plan, or what is wrong with the file. Throws `Malformed` for anything else. */
export function readSuitePlan(returned: unknown): SuitePlan | { readonly problems: readonly SuiteProblem[] } {
  const value = ownData(returned);
  if (Array.isArray(value)) {
    return { problems: checked<readonly SuiteProblem[]>(value, Type.Array(problemSchema, { minItems: 1 })) };
  }
  const plan = checked<SuitePlan>(value, planSchema);
  const twice = [
    ...repeated(plan.cases.map((one) => one.name)).map((word) => `Two cases have the name "${word}".`),
    ...plan.cases.flatMap((one) =>
      repeated(one.invariants.map(({ id }) => id)).map((id) => `Two invariants of "${one.name}" have the id "${id}".`),
    ),
  ];
  if (twice.length > 0) throw new Malformed(twice);
  return plan;
}

/** What `fold` of a plug-in returned. Throws `Malformed` for what is no outcome. */
export function readOutcome(returned: unknown): SuiteOutcome {
  return checked<SuiteOutcome>(ownData(returned), outcomeSchema);
}

/** What a plug-in returned is not what it promised. Plug-ins are not typed when they run. */
export class Malformed extends Error {
  /** All that is wrong, one sentence each. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join(' '));
    this.problems = problems;
  }
}

/** `T` is what the schema describes, as far as it is relied on. */
function checked<T>(value: Json, schema: TSchema): T {
  const problems = valueProblems(schema, value, 'What it returned').map(({ message, hint }) =>
    hint === undefined ? message : `${message} ${hint}`,
  );
  if (problems.length > 0) throw new Malformed(problems);
  return value as T;
}

/** A copy, so that shards and reports can carry it and the plug-in cannot change it later. */
function ownData(returned: unknown): Json {
  if (returned instanceof Promise) {
    // Nobody waits for it, so what it rejects with must not end the process.
    returned.catch(() => undefined);
    throw new Malformed(['It returned a promise, and must answer at once.']);
  }
  const copy = plainCopy(returned, { maxLength: MAX_LENGTH, leavesOutUndefined: true });
  if (copy.ok) return copy.value;
  throw new Malformed([`What it returned is no plain data: ${copy.reason}.`]);
}

function repeated(words: readonly string[]): readonly string[] {
  return [...new Set(words.filter((word, at) => words.indexOf(word) < at))];
}
