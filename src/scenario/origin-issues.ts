import { checkSchema } from '../source/check-schema.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { Issue } from '../types/issue.ts';
import { originKeys } from './origin-schema.ts';

/** What is wrong with what a file says of where it comes from; for files whose other keys are checked elsewhere. */
export function originIssues(document: SourceDocument): readonly Issue[] {
  return Object.entries(originKeys)
    .filter(([key]) => Object.hasOwn(document.data, key))
    .flatMap(([key, schema]) => checkSchema(document, [key], schema));
}
