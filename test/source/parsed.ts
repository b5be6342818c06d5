import type { SourceFile } from '../../src/source/source-file.ts';
import { parseToml, type SourceDocument } from '../../src/source/toml-document.ts';
import type { Issue } from '../../src/types/issue.ts';

/** A source that stands in no file. */
export function aSource(text: string, name = 'a.toml'): SourceFile {
  return { path: '<memory>', name, text };
}

/** The document of a text that is known to parse. */
export function parsed(text: string): SourceDocument {
  const result = parseToml(aSource(text));
  if (!result.ok) throw new Error(result.issues.map((issue) => issue.message).join('\n'));
  return result.document;
}

/** The issues of a text that is known not to parse. */
export function refused(text: string): readonly Issue[] {
  const result = parseToml(aSource(text));
  if (result.ok) throw new Error('It parses.');
  return result.issues;
}

/** Issues as one line each: `code line:column message [hint]`. */
export function brief(issues: readonly Issue[]): readonly string[] {
  return issues.map(({ code, message, at, hint }) => {
    const end = at?.endColumn === undefined ? '' : `-${at.endColumn}`;
    const place = at === undefined ? '' : ` ${at.line}:${at.column}${end}`;
    return `${code}${place} ${message}${hint === undefined ? '' : ` [${hint}]`}`;
  });
}

/** Issues by code and place alone. */
export function placed(issues: readonly Issue[]): readonly string[] {
  return issues.map(({ code, at }) => `${code} ${at?.line}:${at?.column}`);
}
