import type { TextMatch } from '../mock.ts';
import type { Count } from '../numbers.ts';
import type { StateValue } from '../value-test.ts';

/** What an agent must do, with tries: it is told what was wrong, and may do better. */
export interface SessionAssertion {
  /** Unique in the task. */
  readonly name: string;
  /** `assert` fails the trial once its tries are used up, `suggest` lets it pass and is noted. */
  readonly kind: 'assert' | 'suggest';
  /** What is asserted. */
  readonly test: AssertionTest;
  /** Tries after the first, in one session. */
  readonly retries: Count;
  /** What the agent is told. */
  readonly feedback: string;
}

export type AssertionTest =
  /** Every answer passes this test, or no answer does. */
  | {
      /** Whether the agent must say the text, or must not. */
      readonly kind: 'says' | 'not_says';
      /** The text. */
      readonly text: TextMatch;
    }
  /** When the agent answers, this place of the state passes a test. */
  | ({
      /** Whether the agent must say the text, or must not. */
      readonly kind: 'state';
    } & StateValue)
  /** The arguments of every call of a tool pass these tests; one that does not is not carried out. */
  | {
      /** Whether the agent must say the text, or must not. */
      readonly kind: 'call';
      /** The name of the tool. */
      readonly tool: string;
      /** Values that arguments must have. */
      readonly where: readonly StateValue[];
    };

/** What became of an assertion in one session. */
export interface AssertionFacts {
  /** The name of the assertion. */
  readonly name: string;
  /** Whether it is required or only advised. */
  readonly kind: SessionAssertion['kind'];
  /** How often the agent was told. */
  readonly retries: Count;
  /** False: it did not hold when its tries were used up. */
  readonly held: boolean;
}
