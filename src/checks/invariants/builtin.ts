import type { InvariantRule } from '../../types/invariant.ts';
import { functionRule, moduleRule, pluginRule } from './code-rules.ts';
import { contains, containsAny, outputNotEmpty } from './content-rules.ts';
import { completes, policyDenied, stoppedBy } from './ending-rules.ts';
import { jsonSchema, validJson } from './format-rules.ts';
import type { InvariantType } from './invariant-type.ts';
import { faithful, judged, preferred } from './judge-rule.ts';
import { latency, maxCost, maxTokens } from './measure-rules.ts';
import { excludesPattern, regex } from './pattern-rules.ts';
import { excludesPii } from './pii-rule.ts';
import { refusalCheck } from './refusal-rule.ts';
import { behaviorUnchanged, similarTo } from './similarity-rules.ts';
import { toolCalled, toolNotCalled } from './tool-rules.ts';

// Each rule stands with its type; the reader of the same type has made it, so the types may be forgotten here.
/** What invariants of files may look at, in the order in which docs list it. */
export const invariantTypes = [
  contains,
  containsAny,
  excludesPattern,
  regex,
  latency,
  validJson,
  outputNotEmpty,
  completes,
  excludesPii,
  refusalCheck,
  similarTo,
  behaviorUnchanged,
  jsonSchema,
  maxTokens,
  maxCost,
  toolCalled,
  toolNotCalled,
  policyDenied,
  stoppedBy,
  moduleRule,
  pluginRule,
  judged,
  preferred,
  faithful,
] as unknown as readonly InvariantType[];

const BY_TYPE: ReadonlyMap<string, InvariantType> = new Map(
  [...invariantTypes, functionRule as unknown as InvariantType].map((one) => [one.type, one]),
);

/** What the rule looks at; undefined: a word that no type has. */
export function invariantTypeOf({ type }: { readonly type: string }): InvariantType | undefined {
  return BY_TYPE.get(type);
}

/** True: the rule compares with an answer of the subject in a world without chaos. */
export function takesBaseline(rule: InvariantRule): boolean {
  return invariantTypeOf(rule)?.takesBaseline?.(rule) === true;
}
