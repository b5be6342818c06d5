import { ImportError, type ImportSource, type RunPiece } from '../../plugin/importer-type.ts';
import { xmlAttributes, xmlElement } from './xml-element.ts';
import { type XmlTag, xmlTags } from './xml-tags.ts';

/** Facts of a file of JUnit XML beside its runs. */
export interface FoundTestcases {
  /** Tests that were not run. */
  readonly skipped: number;
  /** Runs that repeat a failed run at once. */
  readonly reruns: number;
  /** Why the file is cut off; null: it is whole. */
  readonly cut: ImportError | null;
}

export interface FindTestcasesOptions {
  /** True: only the first run of a test that was run again because it failed. */
  readonly firstOnly: boolean;
  /**
   * Takes the pieces of a run: the element with its outcome, then the tag of its test, where it is another, and of its
   * suite.
   */
  readonly found: (...pieces: readonly RunPiece[]) => void;
}

/** The test that is read now. */
interface Testcase {
  readonly tag: XmlTag;
  /** Its children that say how it ended. */
  readonly parts: Part[];
  /** The child that the last tag stands in; null: in none. */
  inside: Part | null;
  /** How deep the last tag stands in the test. */
  depth: number;
}

interface Part {
  readonly name: string;
  readonly from: number;
  to: number;
}

const FLAKY = ['flakyFailure', 'flakyError'];
const RERUN = ['rerunFailure', 'rerunError'];
const TELLING = new Set(['failure', 'error', 'skipped', ...FLAKY, ...RERUN]);

/** Attributes by which writers say that a test was not run. */
const NOT_RUN = /\sstatus\s*=\s*["'](?:notrun|disabled|skipped)["']/;

/** How pytest begins the message of an error of a tear-down. */
const TEARDOWN = 'failed on teardown with';

/** Finds the runs in a file of JUnit XML of any length. It does not check the content of tests: reading them does. */
export function* findTestcases(
  source: ImportSource,
  file: number,
  options: FindTestcasesOptions,
): Generator<void, FoundTestcases> {
  const finder = new Finder(source, file, options);
  const read = (from: number, to: number): Uint8Array => source.read(file, from, to);
  const cut = yield* xmlTags({ read, bytes: source.files[file]?.bytes ?? 0 }, (tag) => finder.take(tag));
  finder.finish(source.files[file]?.bytes ?? 0);
  return { skipped: finder.skipped, reruns: finder.reruns, cut };
}

class Finder {
  skipped = 0;
  reruns = 0;
  private readonly source: ImportSource;
  private readonly file: number;
  private readonly options: FindTestcasesOptions;
  private readonly suites: XmlTag[] = [];
  /** Failed tests of this suite: pytest writes an error of their tear-down as another test. */
  private readonly failed = new Set<string>();
  private test: Testcase | null = null;

  constructor(source: ImportSource, file: number, options: FindTestcasesOptions) {
    this.source = source;
    this.file = file;
    this.options = options;
  }

  take(tag: XmlTag): void {
    if (tag.name === 'testcase') this.takeTestcase(tag);
    else if (this.test !== null) this.takePart(tag, this.test);
    else if (tag.name === 'testsuite') {
      if (tag.kind === 'open') this.suites.push(tag);
      if (tag.kind === 'close') this.suites.pop();
      this.failed.clear();
    }
  }

  /** A test that the end of the file cuts off is a run that cannot be read. */
  finish(bytes: number): void {
    if (this.test !== null) this.end(this.test, bytes);
  }

  private takeTestcase(tag: XmlTag): void {
    const { test } = this;
    if (tag.kind === 'close') {
      if (test !== null) this.end(test, tag.to);
      return;
    }
    // A test without an end is a run by itself, which cannot be read.
    if (test !== null) this.end(test, tag.from);
    this.test = { tag, parts: [], inside: null, depth: 0 };
    if (tag.kind === 'empty') this.end(this.test, tag.to);
  }

  private takePart({ kind, name, from, to }: XmlTag, test: Testcase): void {
    if (kind === 'close') test.depth--;
    if (test.depth === 0 && kind === 'close') {
      if (test.inside !== null) test.inside.to = to;
      test.inside = null;
    } else if (test.depth === 0) {
      const part = { name, from, to };
      if (TELLING.has(name)) test.parts.push(part);
      test.inside = kind === 'open' ? part : null;
    }
    if (kind === 'open') test.depth++;
  }

  private end(test: Testcase, to: number): void {
    this.test = null;
    const has = (...names: readonly string[]): boolean => test.parts.some(({ name }) => names.includes(name));
    if (!has('failure', 'error') && (has('skipped') || NOT_RUN.test(this.textOf(test.tag)))) {
      this.skipped++;
      return;
    }
    if (this.isOtherHalf(test, has)) return;
    const suite = this.suites.at(-1);
    const context = suite === undefined ? [] : [this.piece(suite)];
    const again = (names: readonly string[]): readonly (() => void)[] =>
      test.parts
        .filter(({ name }) => names.includes(name))
        .map((part) => () => this.options.found(this.piece(part), this.piece(test.tag), ...context));
    const runs = [
      ...again(FLAKY),
      () => this.options.found(this.piece({ from: test.tag.from, to }), ...context),
      ...again(RERUN),
    ];
    this.reruns += runs.length - 1;
    for (const add of this.options.firstOnly ? runs.slice(0, 1) : runs) add();
  }

  /**
   * pytest writes a test that failed and whose tear-down ended by an error twice, the second time with that error: one run.
   */
  private isOtherHalf(test: Testcase, has: (...names: readonly string[]) => boolean): boolean {
    if (!has('failure', 'error')) return false;
    try {
      const attributes = xmlAttributes(this.bytesOf(test.tag));
      const key = JSON.stringify(['classname', 'name', 'file'].map((name) => attributes.get(name) ?? ''));
      if (has('failure')) {
        this.failed.add(key);
        return false;
      }
      const [error, ...others] = test.parts;
      if (!this.failed.has(key) || error === undefined || others.length > 0) return false;
      return xmlElement(this.bytesOf(error)).attributes.get('message')?.startsWith(TEARDOWN) === true;
    } catch (cause) {
      // Reading the run gives the error again, with its place.
      if (cause instanceof ImportError) return false;
      throw cause;
    }
  }

  private piece({ from, to }: Pick<XmlTag, 'from' | 'to'>): RunPiece {
    return { file: this.file, from, to };
  }

  private bytesOf({ from, to }: Pick<XmlTag, 'from' | 'to'>): Uint8Array {
    return this.source.read(this.file, from, to);
  }

  private textOf(tag: XmlTag): string {
    return Buffer.from(this.bytesOf(tag)).toString('latin1');
  }
}
