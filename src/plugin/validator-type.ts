import type { Json, JsonObject } from '../types/json.ts';
import type { Compat, ModelChunk } from '../types/model-test.ts';

/** A rule for the answer of a model. Tests name it by its word, with an argument behind a colon: `text-includes:21`. */
export interface ValidatorType {
  readonly kind: 'validator';
  /** The word that tests name it by: lower-case words joined by `-`. */
  readonly type: string;
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
  /** What the argument is: `none`: there is none, and one that is given is an error of the file. */
  readonly argument: ArgumentRule;
  /** True: it looks at chunks, so that the test must ask for a stream; absent: false. */
  readonly streams?: boolean;
  /** Why the argument makes no sense; null: it does. Absent: any argument does. Pure. */
  checkArgument?(argument: string): string | null;
  /** Why it can judge no answer to this request, such as one that asks for no JSON; null: it can. Absent: it can judge any. Pure. */
  checkInput?(input: JsonObject): string | null;
  /**
   * Why the answer breaks the rule, a sentence; null: it does not. Pure, and the same for the same answer. What it throws breaks
   * the trial.
   */
  validate(answer: ValidatedAnswer, argument: string | null, options: ValidatorOptions): string | null;
}

/** What may follow a validator's word after a colon. */
export interface ArgumentRule {
  /** Whether the word must be followed by an argument. */
  readonly is: 'none' | 'optional' | 'required';
  /** What it stands for, such as `the name of the tool`; '' where there is none. */
  readonly what: string;
}

/** An answer and what was asked, in Genkit's words and untouched: any shape is possible. */
export interface ValidatedAnswer {
  /** What was asked. */
  readonly input: JsonObject;
  /** What came back. */
  readonly response: Json;
  /** Null: no stream was asked for. */
  readonly chunks: readonly ModelChunk[] | null;
}

/** What a validator can ask passk. */
export interface ValidatorOptions {
  /** Whose reading holds where Genkit's two tools differ. */
  readonly compat: Compat;
  /** What a value violates of a JSON Schema, in words; []: nothing. A schema is compiled once for as long as it is the same object. */
  violations(schema: Json, value: Json): readonly string[];
}
