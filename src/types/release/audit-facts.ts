import type { TrivialSubject } from '../audit/set-audit.ts';
import type { Count } from '../numbers.ts';

/** What subjects that can do nothing, and answers held to be right, make of the scenarios of validation and regression. */
export interface AuditFacts {
  /** Scenarios that were audited. */
  readonly tasks: Count;
  /** The trivial subjects, such as one that does nothing. */
  readonly trivial: readonly {
    /** The trivial subject. */
    readonly subject: TrivialSubject;
    /** Scenarios that it was judged on. */
    readonly tasks: Count;
    /** Scenarios that it passed. */
    readonly passed: Count;
  }[];
  /** Of the scenarios whose gold answers could be judged. */
  readonly gold: {
    /** Scenarios with gold answers. */
    readonly tasks: Count;
    /** Scenarios whose gold answers pass. */
    readonly passed: Count;
  };
  /** Scenarios that such a subject passes, at most 20. */
  readonly trivially: readonly string[];
  /** Scenarios that gold answers fail, at most 20. */
  readonly goldFails: readonly string[];
  /** Groups of scenarios whose content is the same. */
  readonly duplicates: Count;
}
