import { createHash } from 'node:crypto';
import path from 'node:path';
import { PasskError } from '../../errors.ts';
import { checkSchema } from '../../source/check-schema.ts';
import { readSource } from '../../source/source-file.ts';
import { parseToml } from '../../source/toml-document.ts';
import type { ComparisonReport } from '../../types/reports/comparison.ts';
import type { Issue } from '../../types/issue.ts';
import type { ErrorPolicy } from '../../types/recording.ts';
import { protocolSchema } from './comparison-protocol.schema.ts';

/** What was settled before anybody looked at results. */
export interface Protocol {
  readonly margin?: number;
  readonly alpha?: number;
  readonly errors?: ErrorPolicy;
  readonly scorer?: string;
  readonly passScore?: number;
  readonly stated: NonNullable<ComparisonReport['protocol']>;
}

/** Reads the `[compare]` table of a TOML file. Throws `INPUT` with all problems. */
export function readProtocol(file: string, cwd: string): Protocol {
  const read = readSource(path.resolve(cwd, file), { root: cwd });
  if (!read.ok) throw unusable(file, read.issues);
  const { source } = read;
  const parsed = parseToml(source);
  if (!parsed.ok) throw unusable(source.name, parsed.issues);
  const issues = checkSchema(parsed.document, ['compare'], protocolSchema);
  if (issues.length > 0) throw unusable(source.name, issues);
  // As the schema has just said.
  const { pass_score: passScore, ...rest } = parsed.document.data.compare as unknown as Omit<Protocol, 'stated'> & {
    readonly pass_score?: number;
  };
  const sha256 = createHash('sha256').update(source.text).digest('hex');
  return { ...rest, ...(passScore !== undefined && { passScore }), stated: { file: source.name, sha256 } };
}

function unusable(name: string, issues: readonly Issue[]): PasskError {
  return new PasskError('INPUT', `The protocol in ${name} cannot be used; nothing was compared.`, {
    issues,
    hint: 'Write [compare] with margin, and if you like alpha, errors, scorer and pass_score.',
  });
}
