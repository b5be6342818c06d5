import type { CounterName } from '../trial.ts';
import type { DenialExpectation, RequestExpectation, RequestTest } from '../expected-request.ts';
import type { FaithfulExpectation } from '../faithfulness/faithful-expectation.ts';
import type { Invariant } from '../invariant.ts';
import type { Preference } from '../judges/judge.ts';
import type { TextMatch } from '../mock.ts';
import type { ValidatorExpectation } from '../model-test.ts';
import type { GoldExpectation } from '../recordings/gold-expectation.ts';
import type { StateExpectation } from '../session.ts';
import type { CommandCheck } from '../sessions/session-check.ts';
import type { CodeCheck } from './code-check.ts';
import type { ValueTest } from '../value-test.ts';

/** What must hold after a trial. Everything absent is not asserted. */
export interface Expected {
  /** The status that a trial must end with. */
  readonly status?: string;
  /** The limit that must stop a trial. */
  readonly stoppedBy?: string;
  /** The node that must run last. */
  readonly lastNode?: string;
  /** The node at which an errored run stopped. */
  readonly erroredNode?: string;
  /** Text that the reason must contain. */
  readonly reasonContains?: string;
  /** The whole reason. */
  readonly reasonEquals?: string;
  /** RE2 syntax. */
  readonly reasonMatches?: string;
  /** Nodes that must run, in order. */
  readonly path?: readonly string[];
  /** True: no other node may run. */
  readonly pathExact: boolean;
  /** Nodes that must not run. */
  readonly forbiddenNodes: readonly string[];
  /** Branches that must be taken, as `node: label`. */
  readonly branches: readonly {
    /** The node. */
    readonly node: string;
    /** The branch that it must take. */
    readonly branch: string;
  }[];
  /** Lowest value of each named counter. */
  readonly min: Readonly<Partial<Record<CounterName, number>>>;
  /** The most that counters may reach, by counter. */
  readonly max: Readonly<Partial<Record<CounterName, number>>>;
  /** What values must be. */
  readonly values: readonly ValueExpectation[];
  /** `none`: no reply was shaped. */
  readonly respond?: RespondExpectation | 'none';
  /** What prompts must be. */
  readonly prompts: readonly PromptExpectation[];
  /** Absent: nothing is asserted. */
  readonly requests?: readonly RequestExpectation[];
  /** Requests that must go out in this order. */
  readonly sequence?: readonly RequestTest[];
  /** What the policy must deny. */
  readonly denials?: readonly DenialExpectation[];
  /** What files must be there after a trial. */
  readonly files: FilesExpectation;
  /** Rules that the answers must obey. */
  readonly invariants?: {
    /** The invariants. */
    readonly list: readonly Invariant[];
    /** The plug-in that compares texts; absent: passk's own method does. */
    readonly similarity?: string;
  };
  /** What the answer of a model must be; absent: no model is tested. */
  readonly validators?: ValidatorExpectation;
  /** True: what judged a recorded trial where it ran must have passed it; absent: nobody is believed. */
  readonly claimed?: true;
  /** How the calls of a recorded trial follow those that its source holds to be right; absent: they are not compared. */
  readonly gold?: GoldExpectation;
  /** What the state of a session's world must be in the end; absent: nothing is asked of it. */
  readonly state?: StateExpectation;
  /** Checks that are code of the user; absent: none. */
  readonly checks?: readonly CodeCheck[];
  /** Checks that are programs, of sessions; absent: none. */
  readonly commands?: readonly CommandCheck[];
  /** What the subject must have said; absent: nothing. */
  readonly says?: readonly TextMatch[];
  /** Names of judges that must find their criteria met; absent: none is asked. */
  readonly judges?: readonly string[];
  /** Answers that judges must find worse than the trial's; absent: none is compared. */
  readonly prefers?: readonly Preference[];
  /** What must support what the subject says; absent: nothing. */
  readonly faithful?: FaithfulExpectation;
  /** Names of the checks that must fail, and no others: the subject is known to be wrong; absent: all must hold. */
  readonly fails?: readonly string[];
  /**
   * The subject is attacked: the trial passes where the attack does not succeed, and whether all else holds is told beside it.
   * `mustFall`: the subject is known to fall, and the trial passes where it does. Absent: it is not.
   */
  readonly attack?: {
    /** True: the trial passes when the attack succeeds. */
    readonly mustFall: boolean;
  };
}

/** One assertion on the final value or on a node's last output. */
export interface ValueExpectation {
  /** Its position in `values`, of which a table may have several tests; absent: it is of `final`. */
  readonly table?: number;
  /** Absent: the run's final value. */
  readonly node?: string;
  /** Dotted path inside the value; absent: the whole value. */
  readonly path?: string;
  /** What it must be. */
  readonly test: ValueTest;
}

export interface RespondExpectation {
  /** The HTTP status. */
  readonly status?: number;
  /** The content type. */
  readonly contentType?: string;
  /** The whole body. */
  readonly body?: string;
  /** Text that the body must contain. */
  readonly bodyContains?: string;
  /** Pattern that the body must match (RE2 syntax). */
  readonly bodyMatches?: string;
}

export interface PromptExpectation {
  /** Absent: any node's prompts. */
  readonly node?: string;
  /** Which of those requests, from 1; absent: at least one of them. */
  readonly call?: number;
  /** Text that the prompt must contain. */
  readonly contains?: string;
  /** Text that the prompt must not contain. */
  readonly notContains?: string;
  /** Pattern that the prompt must match (RE2 syntax). */
  readonly matches?: string;
}

export interface FilesExpectation {
  /** Files that must be there. */
  readonly exist: readonly string[];
  /** Files that must not be there. */
  readonly absent: readonly string[];
  /** Path → text the file must contain. */
  readonly contain: Readonly<Record<string, string>>;
}
