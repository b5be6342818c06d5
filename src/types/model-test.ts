import type { Json, JsonObject } from './json.ts';
import type { Amount, Count } from './numbers.ts';

/** What a model may be able to do; each is a built-in test. The names are Genkit's. */
export const CAPABILITIES = [
  'tool-request',
  'structured-output',
  'multiturn',
  'streaming-multiturn',
  'streaming-tool-request',
  'streaming-structured-output',
  'system-role',
  'input-image-base64',
  'input-image-url',
  'input-video-youtube',
  'output-audio',
  'output-image',
] as const;

/** What a model can do, as tests show it. */
export type Capability = (typeof CAPABILITIES)[number];

/** Whose reading of a validator holds where Genkit's two tools differ. `both`: what either of them would fail fails. */
export const COMPATS = ['both', 'js', 'python'] as const;

/** By whose reading answers of models are judged. */
export type Compat = (typeof COMPATS)[number];

/** One request to a model, and what its answer must be. */
export interface ModelTest {
  /** Unique among the tests of its model: the capability, or the name; a second one of a name is `name #2`. */
  readonly id: string;
  /** The test's name. */
  readonly name: string;
  /** Null: the file brings the test. */
  readonly capability: Capability | null;
  /** The request as the model gets it, in Genkit's words (`GenerateRequest`); whatever it holds is passed on untouched. */
  readonly input: JsonObject;
  /** True: the answer is asked for in pieces. */
  readonly stream: boolean;
  /** In the order in which they are judged. */
  readonly validators: readonly ValidatorUse[];
}

/** A validator as a test names it: `text-includes:21` is `text-includes` with the argument `21`. */
export interface ValidatorUse {
  /** The validator's word. */
  readonly type: string;
  /** Null: none is given. */
  readonly argument: string | null;
}

/** What a runner is asked. */
export interface ModelQuestion {
  /** The name of the model, without `/model/` in front. */
  readonly model: string;
  /** In Genkit's words, as `ModelTest.input`. */
  readonly input: JsonObject;
  /** True: the answer is to be streamed. */
  readonly stream: boolean;
  /** What the answer must be, for runners that judge it themselves. */
  readonly validators: readonly ValidatorUse[];
  /** From the question to the end of the answer. */
  readonly timeoutMs: Amount;
}

/** What asking a model once came to. */
export type ModelAnswer = GivenAnswer | ForeignVerdict | ModelProblem;

/** An answer as it came, but for the values of granted variables. */
export interface GivenAnswer {
  readonly kind: 'answer';
  /** In Genkit's words (`GenerateResponse`), as it came; null where none came. */
  readonly response: Json;
  /** What came before it, in order; null: it was not asked for in pieces. */
  readonly chunks: readonly ModelChunk[] | null;
  /** From the question to the end of the answer. */
  readonly latencyMs: Amount;
}

/** A chunk of a streamed answer. */
export interface ModelChunk {
  /** Since the question; null: the runner cannot tell, because all pieces arrive together. */
  readonly atMs: Amount | null;
  /** In Genkit's words (`GenerateResponseChunk`), as it came. */
  readonly chunk: Json;
}

/** What a runner that judges by itself made of an answer, which it does not show. */
export interface ForeignVerdict {
  readonly kind: 'verdict';
  /** Why the test failed, in the words of whoever judged; null: it passed. */
  readonly failure: string | null;
  /** Always null: the runner keeps none. */
  readonly chunks: null;
  /** From the question to the verdict. */
  readonly latencyMs: Amount;
}

/** Why there is no answer. It says something about the model or its plug-in; what says nothing about them is an error that is thrown. */
export interface ModelProblem {
  readonly kind: 'problem';
  /** `error`: it answered with an error; `timed_out`: it did not answer in time; `died`: what answers for it ended. */
  readonly why: 'error' | 'timed_out' | 'died';
  /** What went wrong. */
  readonly message: string;
  /** As the source names it, such as `RESOURCE_EXHAUSTED`, `8` or `503`; null: it does not. */
  readonly code: string | null;
  /** True: it may pass by itself, so that asking again makes sense. */
  readonly transient: boolean;
  /** How long whoever refused asks to wait; null: it does not say. */
  readonly retryAfterMs: Amount | null;
  /** What had come before it; null: the answer was not asked for in pieces. */
  readonly chunks: readonly ModelChunk[] | null;
  /** Milliseconds until it was clear. */
  readonly latencyMs: Amount;
}

/** What one trial of a test came to: the last of its attempts, with those before it. */
export interface ModelRun {
  readonly answer: ModelAnswer;
  /** Attempts that may pass by themselves and did not, in order; []: the first one counts. */
  readonly retried: readonly RetriedAttempt[];
  /** The last lines that processes of the plug-in printed, where they printed any meanwhile, for whichever question; else null. */
  readonly log: string | null;
}

/** An attempt that did not count. */
export interface RetriedAttempt {
  /** `invalid`: there was an answer, and a validator failed it. */
  readonly why: ModelProblem['why'] | 'invalid';
  /** The provider's code of the error; null: it gave none. */
  readonly code: string | null;
  /** What went wrong. */
  readonly message: string;
  /** Before the next one. */
  readonly waitedMs: Amount;
}

/** What only models have in the record of a trial. */
export interface ModelFacts {
  /** What was asked, in Genkit's words. */
  readonly input: JsonObject;
  /** True: the answer was streamed. */
  readonly stream: boolean;
  /** Null: there was no answer, or the runner does not show it. */
  readonly response: Json;
  /** Of a runner that judges by itself; absent: passk judges. */
  readonly verdict?: Pick<ForeignVerdict, 'failure'>;
  /** What answers for the model ended in the last attempt, be it for this question or for another; absent: it did not. */
  readonly died?: true;
  /** The chunks as they came; null: it was not streamed. */
  readonly chunks: readonly ModelChunk[] | null;
  /** Attempts before the last one. */
  readonly retried: readonly RetriedAttempt[];
  /** Attempts in all. */
  readonly attempts: Count;
  /** As of `ModelRun`. */
  readonly log: string | null;
}

/** What the answer of a model must be. */
export interface ValidatorExpectation {
  /** The validators, in order. */
  readonly list: readonly ValidatorUse[];
  /** True: the answer must come in pieces. */
  readonly stream: boolean;
  /** Whose rules they follow. */
  readonly compat: Compat;
  /** The runner that judges by them itself; absent: passk does. */
  readonly judgedBy?: string;
}
