import type { Location } from '../../types/issue.ts';
import type { Json } from '../../types/json.ts';
import { plainText } from '../plain-text.ts';

/** Where texts of cases end: columns, and for `path` steps. */
export const LONGEST = {
  name: 300,
  fullName: 200,
  title: 120,
  text: 600,
  node: 80,
  path: 50,
  /** Of a command: cut, it cannot be run, so only what no file system has is cut. */
  replay: 8000,
} as const;

/** A place for programs. */
export function plainPlace({ file, line, column }: Location): Json {
  return { file: plainText(file, LONGEST.text), line, column };
}
