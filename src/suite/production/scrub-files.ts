import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { PasskError } from '../../errors.ts';
import { loadNumberingPlans } from '../../pii/find-national-phones.ts';
import { NATIONAL_IDS } from '../../pii/national-ids.ts';
import { patternFinder } from '../../pii/pattern-finder.ts';
import { type ScrubCount, type ScrubFinder, type ScrubKind, Scrubber } from '../../pii/scrubber.ts';
import { nodeFiles } from '../../records/file-layer.ts';
import { withFile } from '../../records/record-file.ts';
import { putInPlace, writeFully } from '../../records/write-file-whole.ts';
import { codeOf, fileProblem } from '../../values/file-problem.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { scrubSources } from './scrub-sources.ts';

/** Characters of a line. A longer one is refused: a text of Node holds some eight times as many. */
const LONGEST_LINE = 64 * 1024 * 1024;
/** Characters of a key: shorter ones can be tried out. */
const SHORTEST_KEY = 16;
/** Places of a file that are told. */
const MOST_PLACES = 20;

/** In every number of people, and every phone number. */
const DIGITS = /\d[\d .()/-]{0,8}\d/;

/** What is looked for besides what always is. */
export interface ScrubRules {
  /** Countries (ISO 3166) whose phone numbers are found as they are written there. */
  readonly countries?: readonly string[];
  /** Numbers of people, by name; default: those of the United States. */
  readonly nationalIds?: readonly string[];
  /** Patterns of your own (RE2). */
  readonly patterns?: readonly string[];
}

/** Options of `scrubFiles()`. */
export interface ScrubFilesOptions extends ScrubRules {
  /** Files of text, and folders of them. */
  readonly paths: readonly string[];
  /** The folder that gets the scrubbed files; absent: nothing is written, and places are told. */
  readonly out?: string;
  /** What tokens are made with: the same key gives the same value the same token. Default: one that nobody keeps. */
  readonly key?: string;
  /** What relative paths start from; absent: the working directory. */
  readonly cwd?: string;
}

/** What was found in a file. */
export interface ScrubbedFile {
  /** The file. */
  readonly file: string;
  /** Null: nothing was written. */
  readonly written: string | null;
  /** How many lines it has. */
  readonly lines: number;
  /** How many places were scrubbed. */
  readonly found: number;
  /** The first lines in which something was found, and what; never the values. */
  readonly places: readonly {
    /** The line, from 1. */
    readonly line: number;
    /** The kinds of values in the line. */
    readonly kinds: readonly ScrubKind[];
  }[];
}

/** What was replaced in files that were scrubbed. */
export interface ScrubReport {
  readonly schema: 'passk-scrub/1';
  /** Each file with what was replaced in it. */
  readonly files: readonly ScrubbedFile[];
  /** Links, and whatever else is no file, in folders: nobody has looked at what is behind them. */
  readonly leftOut: readonly string[];
  /** In all files together. */
  readonly counts: Readonly<Partial<Record<ScrubKind, ScrubCount>>>;
  /** True: its tokens are those of every run with this key. */
  readonly joins: boolean;
}

/**
 * Writes files again without personal data and secrets, or tells where some are. A file is written whole or not at all, and
 * none is replaced. Throws `PasskError` where a file cannot be read, is no text, or would replace another,
 * and where a folder holds none.
 */
export async function scrubFiles(options: ScrubFilesOptions): Promise<ScrubReport> {
  const { paths, out, key, cwd = '.' } = options;
  const scrubber = await scrubberOf(options);
  const { sources, leftOut } = await scrubSources(paths, { cwd, out });
  const targets = sources.map(({ name }) => (out === undefined ? null : targetOf(out, name, scrubber)));
  await refuseTaken(targets, cwd);
  const files: ScrubbedFile[] = [];
  for (const [at, { file }] of sources.entries()) {
    files.push(await scrubFile(path.resolve(cwd, file), { file, target: targets[at] ?? null, cwd, scrubber }));
  }
  return { schema: 'passk-scrub/1', files, leftOut, counts: scrubber.counts, joins: key !== undefined };
}

/** What makes tokens with this key, else with one that nobody keeps. Throws `PasskError` for a short key and unknown rules. */
export async function scrubberOf({ key, ...rules }: ScrubRules & { readonly key?: string }): Promise<Scrubber> {
  if (key !== undefined && key.length < SHORTEST_KEY) {
    throw new PasskError('USAGE', `The key has ${key.length} characters; it needs ${SHORTEST_KEY} or more.`, {
      hint: 'Make one: node -p "crypto.randomBytes(32).toString(\'hex\')"',
    });
  }
  return new Scrubber({ key: key ?? randomBytes(32).toString('hex'), finders: await findersOf(rules) });
}

/** What is looked for, besides what always is. Throws `PasskError` for what is not known. */
async function findersOf({
  countries = [],
  nationalIds = ['us_ssn'],
  patterns = [],
}: ScrubRules): Promise<readonly ScrubFinder[]> {
  const finders: ScrubFinder[] = patterns.map((pattern) => ({ kind: 'custom', find: patternFinder(pattern) }));
  for (const id of nationalIds) {
    const find = Object.hasOwn(NATIONAL_IDS, id) ? NATIONAL_IDS[id] : undefined;
    if (find === undefined) {
      const ids = Object.keys(NATIONAL_IDS);
      const meant = didYouMean(id, ids);
      throw new PasskError('USAGE', `There is no number of people called "${id}".`, {
        hint: meant === null ? `Known: ${ids.join(', ')}.` : `Did you mean "${meant}"?`,
      });
    }
    finders.push({ kind: 'national_id', find, needs: DIGITS });
  }
  if (countries.length > 0) {
    const plans = await loadNumberingPlans();
    const unknown = countries.find((code) => !plans.isCountry(code));
    if (unknown !== undefined) {
      throw new PasskError('USAGE', `"${unknown}" is no country.`, { hint: 'Write codes such as DE, FR, BR.' });
    }
    finders.push({ kind: 'phone', find: plans.finderFor(countries), needs: DIGITS });
  }
  return finders;
}

/** Ends of names that no address has. */
const EXTENSION = /\.(?:csv|eml|html?|jsonl?|log|md|ndjson|toml|tsv|txt|xml|ya?ml)$/i;

/** Names of files and folders hold personal data, too. What an address in front of an extension ends with is its own. */
function targetOf(out: string, name: string, scrubber: Scrubber): string {
  const scrubbed = (part: string): string => {
    const [extension = ''] = EXTENSION.exec(part) ?? [];
    return scrubber.text(part.slice(0, part.length - extension.length)) + extension;
  };
  return path.join(out, ...name.split(path.sep).map(scrubbed));
}

async function refuseTaken(targets: readonly (string | null)[], cwd: string): Promise<void> {
  const seen = new Set<string>();
  for (const target of targets) {
    if (target === null) continue;
    const place = path.resolve(cwd, target);
    if (seen.has(place)) {
      throw new PasskError('USAGE', `Two files would be written to ${target}.`, { hint: 'Scrub them one by one.' });
    }
    seen.add(place);
    if ((await writing(target, () => nodeFiles.kindOf(place))) !== 'absent') {
      throw new PasskError('OUTPUT', `${target} exists already and stays as it is.`, {
        hint: 'Name another folder: --out DIR.',
      });
    }
  }
}

interface FileParts {
  readonly file: string;
  readonly target: string | null;
  readonly cwd: string;
  readonly scrubber: Scrubber;
}

async function scrubFile(place: string, { file, target, cwd, scrubber }: FileParts): Promise<ScrubbedFile> {
  const places: { line: number; kinds: readonly ScrubKind[] }[] = [];
  let found = 0;
  let lines = 0;
  let isJson: boolean | null = null;
  const scrubbed = (text: string, count: number): string => {
    isJson ??= /^\s*$/.test(text) ? null : /^\ufeff?\s*[[{]/.test(text);
    const clean = isJson === true ? scrubber.json(text) : scrubber.text(text);
    const kinds = scrubber.takeFound();
    found += kinds.length;
    if (kinds.length > 0 && places.length < MOST_PLACES) places.push({ line: lines + 1, kinds: [...new Set(kinds)] });
    lines += count;
    return clean;
  };
  scrubber.takeFound();
  if (target === null) {
    for await (const { text, count } of piecesOf(place, file)) scrubbed(text, count);
    return { file, written: null, lines, found, places };
  }
  const written = path.resolve(cwd, target);
  const draft = `${written}.${randomUUID()}.tmp`;
  await writing(target, () => nodeFiles.makeFolder(path.dirname(written)));
  try {
    const output = await writing(target, () => nodeFiles.open(draft, 'wx', 0o600));
    try {
      for await (const { text, count } of piecesOf(place, file)) {
        const bytes = Buffer.from(scrubbed(text, count));
        await writing(target, () => writeFully(output, bytes, null));
      }
      await writing(target, () => output.sync());
    } finally {
      await output.close();
    }
    await writing(target, () => putInPlace(draft, written, nodeFiles));
  } catch (error) {
    // The first problem is the one to report.
    await nodeFiles.remove(draft).catch(() => undefined);
    throw error;
  }
  return { file, written: target, lines, found, places };
}

function writing<T>(target: string, action: () => Promise<T>): Promise<T> {
  const hint = 'Name a folder that may be written to: --out DIR.';
  return withFile(
    action,
    (reason, cause) => new PasskError('OUTPUT', `${target} cannot be written: ${reason}.`, { hint, cause }),
  );
}

interface Piece {
  readonly text: string;
  /** Lines. */
  readonly count: number;
}

/** A file line by line, with its line ends; a private key that stands on several lines comes whole. */
async function* piecesOf(place: string, file: string): AsyncGenerator<Piece> {
  let keyLines: string[] = [];
  for await (const line of linesOf(place, file)) {
    const isInKey = keyLines.length > 0 || /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----\s*$/.test(line);
    if (!isInKey) {
      yield { text: line, count: 1 };
      continue;
    }
    keyLines.push(line);
    if (!/-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/.test(line) && keyLines.length < MOST_KEY_LINES) continue;
    yield { text: keyLines.join(''), count: keyLines.length };
    keyLines = [];
  }
  if (keyLines.length > 0) yield { text: keyLines.join(''), count: keyLines.length };
}

/** Lines of a private key; the longest that are used have some hundred. */
const MOST_KEY_LINES = 1000;

async function* linesOf(place: string, file: string): AsyncGenerator<string> {
  // A mark at the start is part of the text. Other bytes than UTF-8 would be written as other text than they were.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
  let rest = '';
  try {
    for await (const bytes of nodeFiles.read(place)) {
      const chunk = decoder.decode(bytes, { stream: true });
      if (chunk.includes('\0')) throw noText(file);
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield `${line}\n`;
      if (rest.length > LONGEST_LINE) {
        throw new PasskError('INPUT', `${file} has a line of more than ${LONGEST_LINE} characters.`, {
          hint: 'Write it with one record a line (JSON Lines).',
        });
      }
    }
    rest += decoder.decode();
  } catch (cause) {
    if (cause instanceof PasskError) throw cause;
    if (codeOf(cause) === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw noText(file);
    throw new PasskError('INPUT', `${file} cannot be read: ${fileProblem(cause)}.`, { cause });
  }
  if (rest !== '') yield rest;
}

function noText(file: string): PasskError {
  return new PasskError('INPUT', `${file} is no text in UTF-8.`, {
    hint: 'Save text as UTF-8. Unpack archives and databases first, or export them as JSON, CSV or text.',
  });
}
