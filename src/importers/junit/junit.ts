import {
  ImportError,
  type ImporterType,
  type ImportOptions,
  type ImportSource,
  type SourceHead,
} from '../../plugin/importer-type.ts';
import { findTestcases } from './find-testcases.ts';
import { readTestcase } from './read-testcase.ts';
import { xmlAttributes, xmlElement } from './xml-element.ts';

/** Files of a folder whose first bytes are read to detect the format. */
const LOOKED_AT = 100;

/** Functions that remove from a name what tells repeats of a test apart, by the writer. */
const REPEATS: Readonly<Record<string, (name: string) => string>> = {
  /** `test[2-4]` and `test[a-2-4]`, as pytest-repeat writes them. */
  pytest: (name) => name.replace(/\[\d{1,9}-\d{1,9}\]$/, '').replace(/-\d{1,9}-\d{1,9}\]$/, ']'),
  /** `test[2]`, `test (2)`, `test #2` and `test 2`. */
  number: (name) => name.replace(/ ?(?:\[\d{1,9}\]|\(\d{1,9}\)|#\d{1,9}| \d{1,9})$/, ''),
};

/** JUnit XML of test runs: each time that a test was run is an attempt at it. */
export const junit: ImporterType = {
  kind: 'importer',
  type: 'junit',
  summary: 'JUnit XML of repeated test runs: a file, or a folder with a file for each run or suite.',
  options: {
    repeats: 'names of repeats of one test: pytest for test[2-4], number for test[2], test (2), test #2 and test 2',
    reruns: 'first: of a test that was run again because it failed, the first run alone',
  },
  detects(source) {
    return xmlFiles(source.files)
      .slice(0, LOOKED_AT)
      .some((file) => isJunitHead(source.head(file)));
  },
  mayRepeat: (source) => xmlFiles(source.files).every((file) => !hasTime(source, file)),
  *index(source, index, options) {
    const { firstOnly } = readOptions(options);
    const runs = index.set('');
    const totals = { skipped: 0, reruns: 0 };
    let first: number | null = null;
    const files = xmlFiles(source.files);
    for (const [place, file] of files.entries()) {
      const twin = files.slice(0, place).find((earlier) => areSame(source, earlier, file));
      if (twin !== undefined) {
        const same = `It holds the same bytes as ${source.files[twin]?.name ?? ''}`;
        const isCopy = hasTime(source, file);
        index.problem({ message: isCopy ? `${same}, so that its runs count once.` : `${same}; ${COUNTS_AGAIN}`, file });
        if (isCopy) continue;
      }
      const counts = yield* inFile(source, file, {
        firstOnly,
        found: (...pieces) => runs.add(...pieces),
        problem: (message, at) => index.problem({ message, file, ...(at !== undefined && { at }) }),
      });
      if (counts === null) continue;
      if (first === null && counts.skipped + counts.reruns > 0) first = file;
      totals.skipped += counts.skipped;
      totals.reruns += counts.reruns;
    }
    if (first === null) return;
    const all = source.files.length > 1 ? ' in all files' : '';
    if (totals.skipped > 0) {
      const tests = totals.skipped === 1 ? '1 skipped test is no run' : `${totals.skipped} skipped tests are no runs`;
      index.problem({ message: `${tests}${all}.`, file: first });
    }
    if (totals.reruns > 0 && !firstOnly) index.problem({ message: rerunsMessage(totals.reruns, all), file: first });
  },
  read([outcome = NOTHING, second, third], { options }) {
    const { repeats } = readOptions(options);
    const element = xmlElement(outcome);
    const isWhole = element.name === 'testcase';
    const test = isWhole ? element.attributes : xmlAttributes(second ?? NOTHING);
    const suite = isWhole ? second : third;
    const name = test.get('name') ?? '';
    if (name === '') throw new ImportError('It has no "name".');
    return readTestcase({
      outcome: element,
      test,
      suite: suite === undefined ? new Map() : xmlAttributes(suite),
      name: repeats(name) || name,
    });
  },
};

const NOTHING = new Uint8Array(0);
const COUNTS_AGAIN = 'nothing in them says of which run they are, so that its runs count again.';

/** Whether the file says when its tests ran, so that the same bytes are the same run. */
function hasTime(source: SourceHead, file: number): boolean {
  return /\stimestamp\s*=/.test(Buffer.from(source.head(file)).toString('latin1'));
}

function areSame(source: ImportSource, one: number, other: number): boolean {
  const [bytes, others] = [source.files[one]?.bytes ?? 0, source.files[other]?.bytes ?? 0];
  if (bytes !== others) return false;
  for (let from = 0; from < bytes; from += CHUNK) {
    const to = Math.min(bytes, from + CHUNK);
    if (Buffer.compare(source.read(one, from, to), source.read(other, from, to)) !== 0) return false;
  }
  return true;
}

const CHUNK = 1024 * 1024;

interface FileTaker {
  readonly firstOnly: boolean;
  readonly found: Parameters<typeof findTestcases>[2]['found'];
  readonly problem: (message: string, at?: number) => void;
}

/** The counts of a file; null: it is no JUnit. A problem is thrown for a single file, and reported for one of several. */
function* inFile(source: ImportSource, file: number, { firstOnly, found, problem }: FileTaker) {
  const isOne = source.files.length === 1;
  try {
    const encoding = encodingOf(source.head(file));
    if (encoding !== null) throw new ImportError(`It is written in ${encoding}. Save it as UTF-8.`);
    if (!isOne && !isJunitHead(source.head(file))) throw new ImportError('It is no JUnit XML, so it is left out.');
    const { cut, ...totals } = yield* findTestcases(source, file, { firstOnly, found });
    if (cut !== null) problem(cut.message, cut.at);
    return totals;
  } catch (error) {
    if (!(error instanceof ImportError) || isOne) throw error;
    problem(error.message, error.at);
    return null;
  }
}

function rerunsMessage(count: number, all: string): string {
  const runs = count === 1 ? '1 run repeats a failed one' : `${count} runs repeat failed ones`;
  return `${runs}${all}: repeating ends with the first success, so rates over them are too high; --map reruns=first leaves them out.`;
}

function readOptions({ repeats = '', reruns = '' }: ImportOptions) {
  const rename = repeats === '' ? (name: string) => name : REPEATS[repeats];
  if (rename === undefined) {
    throw new ImportError(`"repeats" is ${Object.keys(REPEATS).join(' or ')}, not "${repeats}".`);
  }
  if (reruns !== '' && reruns !== 'first') throw new ImportError(`"reruns" is first, not "${reruns}".`);
  return { repeats: rename, firstOnly: reruns === 'first' };
}

/** Positions of the files to read. A single file may have any name. */
function xmlFiles(files: readonly { readonly name: string }[]): readonly number[] {
  return [...files.keys()].filter((at) => files.length === 1 || /\.xml$/i.test(files[at]?.name ?? ''));
}

/** Whether a text begins with the root of a JUnit file. After a document type the root may stand anywhere. */
function isJunitHead(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1').replaceAll('\0', '');
  const first = text.indexOf('<');
  if (!BLANK.test(text.slice(0, Math.max(0, first)))) return false;
  for (let at = first; at !== -1; ) {
    if (text.startsWith('<!DOCTYPE', at)) return /<testsuites?[\s/>]/.test(text.slice(at));
    const end = text.startsWith('<?', at) ? '?>' : text.startsWith('<!--', at) ? '-->' : null;
    if (end === null) return /^<testsuites?[\s/>]/.test(text.slice(at, at + 16));
    const close = text.indexOf(end, at);
    at = close === -1 ? -1 : text.indexOf('<', close);
  }
  return false;
}

/** Spaces and byte order marks. */
const BLANK = /^[\s\u00bb\u00bf\u00ef\u00fe\u00ff]*$/;

/** The encoding that the text declares; null: UTF-8. */
function encodingOf(head: Uint8Array): string | null {
  if (head.subarray(0, 4).includes(0)) return 'UTF-16';
  const text = Buffer.from(head.subarray(0, 256)).toString('latin1');
  const [, encoding] = /^[^<]*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(text) ?? [];
  return encoding === undefined || /^(?:utf-?8|us-ascii)$/i.test(encoding) ? null : encoding;
}
