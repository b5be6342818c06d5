import { ImportError, type ImporterType, type ImportOptions, type ImportSource } from '../../plugin/importer-type.ts';
import { findTestcases } from './find-testcases.ts';
import { readTestcase } from './read-testcase.ts';
import { xmlAttributes, xmlElement } from './xml-element.ts';

/** Files whose beginnings are looked at to tell a folder by. */
const LOOKED_AT = 100;

/** How names of repeats of one test differ, and what is left of them without it. */
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
  *index(source, index, options) {
    const { firstOnly } = readOptions(options);
    const runs = index.set('');
    const counts = { skipped: 0, reruns: 0 };
    let first: number | null = null;
    for (const file of xmlFiles(source.files)) {
      const found = yield* inFile(source, file, {
        firstOnly,
        found: (...pieces) => runs.add(...pieces),
        problem: (message, at) => index.problem({ message, file, ...(at !== undefined && { at }) }),
      });
      if (found === null) continue;
      if (first === null && found.skipped + found.reruns > 0) first = file;
      counts.skipped += found.skipped;
      counts.reruns += found.reruns;
    }
    if (first === null) return;
    const all = source.files.length > 1 ? ' in all files' : '';
    if (counts.skipped > 0) {
      const tests = counts.skipped === 1 ? '1 skipped test is no run' : `${counts.skipped} skipped tests are no runs`;
      index.problem({ message: `${tests}${all}.`, file: first });
    }
    if (counts.reruns > 0 && !firstOnly) index.problem({ message: rerunsMessage(counts.reruns, all), file: first });
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

interface FileTaker {
  readonly firstOnly: boolean;
  readonly found: Parameters<typeof findTestcases>[2]['found'];
  readonly problem: (message: string, at?: number) => void;
}

/** What a file gives; null: it is none of JUnit. What is wrong with a file by itself is thrown; one of several costs itself. */
function* inFile(source: ImportSource, file: number, { firstOnly, found, problem }: FileTaker) {
  const isOne = source.files.length === 1;
  try {
    const encoding = encodingOf(source.head(file));
    if (encoding !== null) throw new ImportError(`It is written in ${encoding}. Save it as UTF-8.`);
    if (!isOne && !isJunitHead(source.head(file))) throw new ImportError('It is no JUnit XML, so it is left out.');
    const { cut, ...counts } = yield* findTestcases(source, file, { firstOnly, found });
    if (cut !== null) problem(cut.message, cut.at);
    return counts;
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

/** A file by itself may have any name. */
function xmlFiles(files: readonly { readonly name: string }[]): readonly number[] {
  return [...files.keys()].filter((at) => files.length === 1 || /\.xml$/i.test(files[at]?.name ?? ''));
}

/** Whether a text begins with the root of a JUnit file; one with a document type does where it has that further down. */
function isJunitHead(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1').replaceAll('\0', '');
  const first = text.indexOf('<');
  if (!BLANK.test(text.slice(0, Math.max(0, first)))) return false;
  for (let at = first; at !== -1; ) {
    if (text.startsWith('<!DOCTYPE', at)) return /<testsuites?[\s/>]/.test(text.slice(at));
    const end = text.startsWith('<?', at) ? '?>' : text.startsWith('<!--', at) ? '-->' : null;
    if (end === null) return /^<testsuites?[\s/>]/.test(text.slice(at, at + 16));
    const behind = text.indexOf(end, at);
    at = behind === -1 ? -1 : text.indexOf('<', behind);
  }
  return false;
}

/** Spaces and byte order marks. */
const BLANK = /^[\s\u00bb\u00bf\u00ef\u00fe\u00ff]*$/;

/** The encoding of the text where it is not UTF-8, as it says itself. */
function encodingOf(head: Uint8Array): string | null {
  if (head.subarray(0, 4).includes(0)) return 'UTF-16';
  const text = Buffer.from(head.subarray(0, 256)).toString('latin1');
  const [, encoding] = /^[^<]*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(text) ?? [];
  return encoding === undefined || /^(?:utf-?8|us-ascii)$/i.test(encoding) ? null : encoding;
}
