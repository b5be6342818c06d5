import { parseToml } from '../../src/source/toml-document.ts';
import type { Issue } from '../../src/types/issue.ts';
import { type ParsedWorkflow, parseWorkflow } from '../../src/workflow/parse-workflow.ts';
import { tinyRegistry } from './tiny-registry.ts';

/** Parses workflow text that is at least valid TOML. */
export function parseText(text: string): ParsedWorkflow {
  const parsed = parseToml({ path: '/suite/workflow.toml', name: 'workflow.toml', text });
  if (!parsed.ok) throw new Error(parsed.issues.map((issue) => issue.message).join('\n'));
  return parseWorkflow(parsed.document, tinyRegistry.nodeSchemas, { nodeTypeOf: tinyRegistry.nodeTypeOf });
}

/** `code line:column` of every issue, warnings with a `?` in front. */
export function placed(issues: readonly Issue[]): readonly string[] {
  return issues.map(
    ({ code, severity, at }) => `${severity === 'warning' ? '?' : ''}${code} ${at ? `${at.line}:${at.column}` : '-'}`,
  );
}
