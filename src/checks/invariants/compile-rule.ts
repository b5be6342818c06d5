import type { Similarity } from '../../plugin/similarity-type.ts';
import type { Invariant } from '../../types/invariant.ts';
import type { SchemaCompiler } from '../value-test.ts';
import { containsAnyRule, containsRule, notEmptyRule } from './content-rules.ts';
import { completesRule, policyDeniedRule, stoppedByRule } from './ending-rules.ts';
import { jsonSchemaRule, validJsonRule } from './format-rules.ts';
import type { Rule } from './given.ts';
import { maxCostRule, maxLatencyRule, maxTokensRule } from './measure-rules.ts';
import { excludesPatternRule, regexRule } from './pattern-rules.ts';
import { piiRule } from './pii-rule.ts';
import { refusalRule } from './refusal-rule.ts';
import { similarityRule, unchangedRule } from './similarity-rules.ts';
import { toolCalledRule, toolNotCalledRule } from './tool-rules.ts';

export interface RuleTools {
  readonly compileSchema: SchemaCompiler;
  /** How alike two texts are, in [0, 1]; absent: `textSimilarity`. */
  readonly similarity?: Similarity;
}

/** Compiles the rule of an invariant, before it is negated. Throws `INPUT` for a pattern that cannot be judged. */
export function compileRule({ id, rule }: Invariant, tools: RuleTools): Rule {
  switch (rule.type) {
    case 'contains':
      return containsRule(rule.value);
    case 'contains_any':
      return containsAnyRule(rule.values);
    case 'excludes_pattern':
      return excludesPatternRule(rule.patterns, id);
    case 'regex':
      return regexRule(rule.pattern, id);
    case 'latency':
      return maxLatencyRule(rule.maxMs);
    case 'valid_json':
      return validJsonRule;
    case 'output_not_empty':
      return notEmptyRule;
    case 'completes':
      return completesRule;
    case 'excludes_pii':
      return piiRule;
    case 'refusal_check':
      return refusalRule;
    case 'similarity':
      return similarityRule(rule.expected, rule.threshold, tools.similarity);
    case 'behavior_unchanged':
      return unchangedRule(rule.baseline, rule.threshold, tools.similarity);
    case 'json_schema':
      return jsonSchemaRule(rule.schema, tools.compileSchema);
    case 'max_tokens':
      return maxTokensRule(rule.max);
    case 'max_cost':
      return maxCostRule(rule.maxNanoUsd, rule.price);
    case 'tool_called':
      return toolCalledRule(rule.tool, rule.atLeast);
    case 'tool_not_called':
      return toolNotCalledRule(rule.tool);
    case 'policy_denied':
      return policyDeniedRule(rule.target);
    case 'stopped_by':
      return stoppedByRule(rule.stop);
  }
}
