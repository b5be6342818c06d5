import type { TextMatch } from '../mock.ts';
import type { Count } from '../numbers.ts';
import type { StateValue } from '../value-test.ts';

/** What an agent must do, with tries: it is told what was wrong, and may do better. */
export interface SessionAssertion {
  /** Unique in the task. */
  readonly name: string;
  /** `assert` fails the trial once its tries are used up, `suggest` lets it pass and is noted. */
  readonly kind: 'assert' | 'suggest';
  readonly test: AssertionTest;
  /** Tries after the first, in one session. */
  readonly retries: Count;
  /** What the agent is told. */
  readonly feedback: string;
}

export type AssertionTest =
  /** Every answer passes this test, or no answer does. */
  | { readonly kind: 'says' | 'not_says'; readonly text: TextMatch }
  /** When the agent answers, this place of the state passes a test. */
  | ({ readonly kind: 'state' } & StateValue)
  /** The arguments of every call of a tool pass these tests; one that does not is not carried out. */
  | { readonly kind: 'call'; readonly tool: string; readonly where: readonly StateValue[] };

/** What became of an assertion in one session. */
export interface AssertionFacts {
  readonly name: string;
  readonly kind: SessionAssertion['kind'];
  /** How often the agent was told. */
  readonly retries: Count;
  /** False: it did not hold when its tries were used up. */
  readonly held: boolean;
}
