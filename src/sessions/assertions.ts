import { compileTextMatch } from '../matching/text-match.ts';
import { compileValueTest, type SchemaCompiler } from '../matching/value-test.ts';
import type { Json } from '../types/json.ts';
import type { AssertionFacts, AssertionTest, SessionAssertion } from '../types/sessions/assertion.ts';
import type { ToolCall } from '../types/session.ts';
import type { StateValue } from '../types/value-test.ts';
import { selectSegments, splitPath } from '../values/select-path.ts';
import { countWork } from '../values/work.ts';

/** What is to be done about an answer or a call. */
export type Ruling =
  | { readonly kind: 'passes' }
  /** The agent is told this, and tries again. */
  | { readonly kind: 'again'; readonly feedback: string }
  /** An `assert` whose tries are used up. */
  | { readonly kind: 'fails'; readonly reason: string };

/** The assertions of one session, with the tries that are left. */
export interface AssertionWatch {
  /** Looks at an answer, and at the state that the agent has left. */
  answered(text: string, state: Json): Ruling;
  /** Looks at a call before it is carried out. */
  called(call: ToolCall): Ruling;
  readonly facts: readonly AssertionFacts[];
}

/** Compiles assertions for any number of sessions. Throws `INPUT` for what is no pattern. */
export function compileAssertions(
  assertions: readonly SessionAssertion[],
  compileSchema: SchemaCompiler,
): () => AssertionWatch {
  const compiled = assertions.map((assertion) => ({ assertion, ...compileTest(assertion, compileSchema) }));
  return () => new SessionAssertions(compiled);
}

interface CompiledAssertion {
  readonly assertion: SessionAssertion;
  /** Null: it says nothing of answers. */
  readonly byAnswer: ((text: string, state: Json) => boolean) | null;
  /** Null: it says nothing of calls. */
  readonly byCall: ((call: ToolCall) => boolean) | null;
}

function compileTest(
  { test, name }: SessionAssertion,
  compileSchema: SchemaCompiler,
): Omit<CompiledAssertion, 'assertion'> {
  switch (test.kind) {
    case 'says':
    case 'not_says': {
      const holds = compileTextMatch(test.text, name);
      const wanted = test.kind === 'says';
      return { byAnswer: (text) => holds(text) === wanted, byCall: null };
    }
    case 'state': {
      const holds = compilePlace(test, name, compileSchema);
      return { byAnswer: (_, state) => holds(state), byCall: null };
    }
    case 'call':
      return { byAnswer: null, byCall: compileCall(test, name, compileSchema) };
  }
}

function compileCall(
  { tool, where }: Extract<AssertionTest, { readonly kind: 'call' }>,
  name: string,
  compileSchema: SchemaCompiler,
): (call: ToolCall) => boolean {
  const tests = where.map((one) => compilePlace(one, name, compileSchema));
  return (call) => call.name !== tool || tests.every((holds) => holds(call.args));
}

function compilePlace({ at, test }: StateValue, name: string, compileSchema: SchemaCompiler): (value: Json) => boolean {
  const holds = compileValueTest(test, name, compileSchema);
  const segments = splitPath(at);
  return (value) => holds(selectSegments(value, segments));
}

const PASSES: Ruling = { kind: 'passes' };

class SessionAssertions implements AssertionWatch {
  private readonly compiled: readonly CompiledAssertion[];
  private readonly retries: number[];
  private readonly held: boolean[];

  constructor(compiled: readonly CompiledAssertion[]) {
    this.compiled = compiled;
    this.retries = compiled.map(() => 0);
    this.held = compiled.map(() => true);
  }

  get facts(): readonly AssertionFacts[] {
    return this.compiled.map(({ assertion: { name, kind } }, at) => ({
      name,
      kind,
      retries: this.retries[at] ?? 0,
      held: this.held[at] === true,
    }));
  }

  answered(text: string, state: Json): Ruling {
    return this.rule(({ byAnswer }) => byAnswer === null || byAnswer(text, state));
  }

  called(call: ToolCall): Ruling {
    return this.rule(({ byCall }) => byCall === null || byCall(call));
  }

  /** Whatever fails for good is told first; else all that may be tried again at once. */
  private rule(holds: (one: CompiledAssertion) => boolean): Ruling {
    countWork(this.compiled.length);
    const broken = [...this.compiled.entries()].filter(([, one]) => !holds(one));
    const feedback: string[] = [];
    let failed: SessionAssertion | null = null;
    for (const [at, { assertion }] of broken) {
      const retries = this.retries[at] ?? 0;
      if (retries < assertion.retries) {
        this.retries[at] = retries + 1;
        feedback.push(assertion.feedback);
        continue;
      }
      this.held[at] = false;
      if (assertion.kind === 'assert') failed ??= assertion;
    }
    if (failed !== null) return { kind: 'fails', reason: failsText(failed) };
    return feedback.length === 0 ? PASSES : { kind: 'again', feedback: feedback.join('\n') };
  }
}

function failsText({ name, retries }: SessionAssertion): string {
  const tries = retries === 0 ? '' : `, although the agent was told ${retries === 1 ? 'once' : `${retries} times`}`;
  return `The assertion "${name}" does not hold${tries}.`;
}
