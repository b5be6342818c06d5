import { isLiteralSecret } from '../../pii/literal-secret.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Issue, Location } from '../../types/issue.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { type Found, toIssue } from '../../workflow/report.ts';
import { literalSecret } from './agent-parts.ts';

/** A part of a contract file that is accepted but not run. */
export interface UnsupportedPart {
  /** As the file names it: `model`, `replays.sources`. */
  readonly name: 'model' | 'replays.sources';
  readonly at: Location;
  /** What that means, one sentence. */
  readonly message: string;
}

const NO_MODEL = 'No model is asked to write mutations.';
const OTHER_MODEL = 'The model that "mutations" names is asked to write them, and this one is not.';
const NO_SOURCES = 'No runs are fetched from LangSmith: name an export of them with file = "runs.jsonl".';

/** The parts of a file that would need what passk does not do; for the commands that are asked for just that. */
export function unsupportedParts({ data, locate }: SourceDocument): readonly UnsupportedPart[] {
  const parts: UnsupportedPart[] = [];
  const add = (name: UnsupportedPart['name'], at: Pointer, message: string): void => {
    parts.push({ name, at: locate(at, 'key'), message });
  };
  const namesOther = textAt(tableAt(data, 'mutations'), 'model') !== undefined;
  if (valueAt(data, 'model') !== undefined && valueAt(data, 'model') !== null) {
    add('model', ['model'], namesOther ? OTHER_MODEL : NO_MODEL);
  }
  const sources = tablesAt(tableAt(data, 'replays'), 'sources');
  if (sources.some(({ table }) => valueAt(table, 'file') === undefined)) {
    add('replays.sources', ['replays', 'sources'], NO_SOURCES);
  }
  return parts;
}

/** What is said of each part when the file is loaded, so that none of them is passed over in silence. */
export function partIssues(document: SourceDocument): readonly Issue[] {
  const parts = unsupportedParts(document).map(
    ({ name, message }): Found => ({
      code: 'unsupported_part',
      severity: 'warning',
      message,
      at: name.split('.'),
      part: 'key',
      hint: 'The contract, its matrix and the run-level invariants of the file take effect.',
    }),
  );
  const key = textAt(tableAt(document.data, 'model'), 'api_key') ?? '';
  const secrets = isLiteralSecret('api_key', key)
    ? [literalSecret(['model', 'api_key'], 'Take it out of the file.')]
    : [];
  return [...parts, ...secrets].map((found) => toIssue(found, document.locate));
}
