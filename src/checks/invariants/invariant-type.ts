import type { FaithfulTools } from '../faithful/faithful-check.ts';
import type { LoadedCode } from '../loaded-code.ts';
import type { Similarity } from '../../plugin/similarity-type.ts';
import type { InvariantRule } from '../../types/invariant.ts';
import type { SchemaCompiler } from '../../matching/value-test.ts';
import type { Rule } from './rule.ts';

/** What the rule of an invariant may look at. Its keys in a file stand in a sibling file, which only the main thread imports. */
export interface InvariantType<R extends InvariantRule = InvariantRule> {
  readonly kind: 'invariant';
  /** The word in the file. */
  readonly type: R['type'];
  /** One line for `passk plugins` and the docs. */
  readonly summary: string;
  /** Why nobody can tell whether it was obeyed, where that happens. Completes "because …". */
  readonly undecided?: string;
  /** True: it measures how alike two texts are. */
  readonly comparesTexts?: true;
  /** True: it looks for the facts of an answer. */
  readonly comparesFacts?: true;
  /** True: it checks answers against a JSON Schema. */
  readonly checksSchemas?: true;
  /** True: `tool` is a glob on names of tools. */
  readonly namesTool?: true;
  /** True: this rule compares with an answer of the subject in a world without chaos. */
  takesBaseline?(rule: R): boolean;
  /** Compiles a rule, before it is negated. Pure. Throws `INPUT`, naming `owner`, for a pattern that cannot be judged. */
  create(rule: R, tools: RuleTools): Rule;
}

export interface RuleTools extends FaithfulTools {
  /** Id of the invariant. */
  readonly owner: string;
  readonly compileSchema: SchemaCompiler;
  /** Functions of the user, by `codeKey`; absent: rules are only named. */
  readonly code?: LoadedCode | undefined;
  /** What a workflow is asked, whose answers do not say so; absent: nothing, or answers do. */
  readonly asked?: string;
  /** How alike two texts are, in [0, 1]; absent: `textSimilarity`. */
  readonly similarity?: Similarity;
}

/** The rule that a type is about. */
export type RuleOf<T extends InvariantRule['type']> = Extract<InvariantRule, { readonly type: T }>;
