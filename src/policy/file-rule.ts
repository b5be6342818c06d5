import type { Policy } from '../types/policy.ts';
import type { FamilyRule } from './env-rule.ts';
import { compilePathPatterns, type Patterns } from './path-pattern.ts';
import { judgePath } from './path-verdict.ts';
import type { FileQuestion, ResolvePath } from './policy-question.ts';
import { BoundedMemo } from './bounded-memo.ts';
import { visibleText } from './visible-text.ts';

export interface FileRule extends FamilyRule {
  decide(question: FileQuestion, resolvePath: ResolvePath): string | null;
}

/** `[policy.fs]`: `read` for reading, `write` for writing files and making folders. */
export function fileRule(policy: Policy['fs']): FileRule {
  const read = compilePathPatterns(policy.read);
  const write = compilePathPatterns(policy.write);
  // Kept with the path they were given for: links may change between questions where files are real.
  const memo = new BoundedMemo<{ readonly resolved: string; readonly denial: string | null }>();

  return {
    problems: [...read.problems, ...write.problems],
    decide: (question, resolvePath) => {
      const key = `${question.as} ${question.op} ${question.path}`;
      const resolved = resolvePath(question.path);
      const known = memo.get(key);
      if (known !== undefined && known.resolved === resolved) return known.denial;
      const denial = judge(question, question.op === 'read' ? read : write, () => resolved);
      return memo.set(key, { resolved, denial }).denial;
    },
  };
}

function judge(question: FileQuestion, patterns: Patterns<string>, resolvePath: ResolvePath): string | null {
  const family = question.op === 'read' ? 'fs_read' : 'fs_write';
  const path = visibleText(question.path);
  const subject = `${question.as} denied on ${path}`;
  if (patterns.count === 0) {
    return `${subject}: ${family} denied: no \`${family}\` allowlist patterns are configured`;
  }
  const verdict = judgePath(question.path, patterns, resolvePath);
  if (verdict.allowed) return null;
  return `${subject}: ${family} on \`${path}\` not covered by any allowlist pattern${visibleText(verdict.note)}`;
}
