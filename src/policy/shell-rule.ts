import type { Policy } from '../types/policy.ts';
import type { FamilyRule } from './env-rule.ts';
import { splitPath } from './canonical-path.ts';
import { compilePathPatterns } from './path-pattern.ts';
import { judgePath } from './path-verdict.ts';
import type { ProcessQuestion, ResolvePath } from './policy-question.ts';
import { visibleText } from '../text/visible-text.ts';

export interface ShellRule extends FamilyRule {
  decide(question: ProcessQuestion, resolvePath: ResolvePath): string | null;
}

/** `[policy.shell]`: which programs may be started, by absolute path. Arguments are not judged. */
export function shellRule(policy: Policy['shell']): ShellRule {
  const commands = compilePathPatterns(policy.commands);
  return {
    problems: commands.problems,
    decide: ({ command }, resolvePath) => {
      const shown = visibleText(command);
      const subject = `shell_run \`${shown}\``;
      if (commands.count === 0) return `${subject}: shell_run denied: no \`shell.commands\` allowlist configured`;
      const refusal = `${subject}: shell_run command \`${shown}\` not covered by any allowlist pattern`;
      const parts = splitPath(command);
      // A bare name would be looked up in PATH, where anyone may have put it.
      if (!('problem' in parts) && parts.isRelative) return `${refusal}: shell_run requires an absolute path`;
      const verdict = judgePath(command, commands, resolvePath);
      return verdict.allowed ? null : refusal + visibleText(verdict.note);
    },
  };
}
