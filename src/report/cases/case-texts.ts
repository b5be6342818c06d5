import type { Location } from '../../types/issue.ts';
import type { Json } from '../../types/json.ts';
import { plainText } from '../plain-text.ts';

/** Longest texts of cases in columns; of `path`, most steps. */
export const LONGEST = {
  name: 300,
  fullName: 200,
  title: 120,
  /** A name within a title. */
  named: 80,
  text: 600,
  node: 80,
  path: 50,
  /** A command that is cut cannot be run: this is longer than any path of a file system. */
  replay: 8000,
} as const;

/** A place as programs read it. */
export function plainPlace({ file, line, column }: Location): Json {
  return { file: plainText(file, LONGEST.text), line, column };
}
