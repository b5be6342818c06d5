import type { Issue } from '../index.ts';
import type { Terminal } from './terminal.ts';

/** Says on stderr why passk could not do what was asked; resolves to the exit code. */
export async function printFailure(terminal: Terminal, error: unknown): Promise<number> {
  const { PasskError, printIssues } = await import('../index.ts');
  if (!(error instanceof PasskError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.complain(`passk: internal error, please report it.\n${text}\n`);
    return 2;
  }
  if (error.code === 'USAGE' && error.issues.some(({ at }) => at?.frame !== undefined)) {
    terminal.complain(error.issues.map(usageText).join(''));
    return 2;
  }
  const place = error.at === undefined ? '' : `${error.at.file}:${error.at.line}:${error.at.column} `;
  // A usage error's message says it all; problems of files need their places.
  const issues = error.code === 'USAGE' ? [] : error.issues;
  const lines = [
    printIssues(issues, { color: terminal.errorColor }),
    `passk: ${place}${error.message}`,
    error.at?.frame ?? '',
    error.hint ?? '',
  ];
  terminal.complain(`${lines.filter((line) => line !== '').join('\n')}\n`);
  return error.code === 'INTEGRITY' ? 4 : 2;
}

/** What is wrong with a flag's text, with the place marked under it. */
function usageText({ message, at, hint }: Issue): string {
  const frame = at?.frame === undefined ? [] : at.frame.split('\n').map((line) => `  ${line}`);
  return `${[`passk: ${message}`, ...frame, ...(hint === undefined ? [] : [`  ${hint}`])].join('\n')}\n`;
}
