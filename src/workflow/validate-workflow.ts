import type { Issue } from '../types/issue.ts';
import type { Draft } from './draft.ts';
import { checkEdgeEnds, warnAboutEdges } from './edge-rules.ts';
import { checkCycles, checkReachable, checkStartEntries } from './graph-rules.ts';
import { checkMcpServers } from './mcp-server-rules.ts';
import { checkNames } from './name-rules.ts';
import type { NodeTypeOf } from './node-facts.ts';
import { checkNodes } from './node-rules.ts';
import type { NodeSchema } from './node-schema.ts';
import { warnAboutNodes } from './node-warnings.ts';
import { collectIssues, type Locate, type Report } from './report.ts';
import { warnAboutRouting } from './routing-warnings.ts';

/** What is known of node types, by their words. */
export interface NodeRules {
  readonly nodeSchemas: ReadonlyMap<string, NodeSchema>;
  readonly nodeTypeOf: NodeTypeOf;
}

/** What the rules of a workflow say: the validator's 24 codes first, in its order of groups, then ours, then warnings. */
export function validateWorkflow(
  draft: Draft,
  locate: Locate,
  { nodeSchemas, nodeTypeOf }: NodeRules,
): readonly Issue[] {
  const groups: ((report: Report) => void)[] = [
    (report) => checkNames(draft, report),
    (report) => {
      const sound = checkEdgeEnds(draft, report);
      checkNodes(draft, nodeSchemas, report);
      // With parts missing, what follows would be about those parts.
      if (!draft.isComplete) return;
      if (sound) checkCycles(draft, report);
      checkStartEntries(draft, report);
      checkReachable(draft, report);
    },
    (report) => checkMcpServers(draft, report),
    (report) => warnAboutEdges(draft, nodeTypeOf, report),
    (report) => warnAboutRouting(draft, nodeTypeOf, report),
    (report) => warnAboutNodes(draft, nodeTypeOf, report),
  ];
  return groups.flatMap((group) => collectIssues(locate, group));
}
