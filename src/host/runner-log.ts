import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { osErrorText } from '../effects/granted/os-error-text.ts';
import { TextTail } from '../effects/granted/text-tail.ts';
import { PasskError } from '../errors.ts';
import { makeFolder } from '../records/make-folder.ts';
import { visibleText } from '../text/visible-text.ts';
import { messageOf } from '../values/message-of.ts';

/** Bytes of one file. */
const LONGEST_FILE = 64 << 20;
/** Characters of a line. */
const LONGEST_LINE = 64 << 10;

/** What the processes of one runner print: its last lines for failures, and all of it where the user asks. */
export class RunnerLog {
  /** Lines until now. */
  lines = 0;
  readonly #scrub: (text: string) => string;
  readonly #file: LogFile | null;
  readonly #tail = new TextTail();

  constructor(scrub: (text: string) => string, file: LogFile | null) {
    this.#scrub = scrub;
    this.#file = file;
  }

  add(line: string): void {
    this.lines++;
    this.#tail.add(Buffer.from(`${line}\n`));
    this.#file?.add(visibleText(this.#scrub(line), { longest: LONGEST_LINE }));
  }

  /** Its last lines, secrets taken out; '': it printed nothing. */
  tail(): string {
    return this.#tail.text(this.#scrub);
  }

  close(): void {
    this.#file?.close();
  }
}

/** A file that holds the beginning of a log, whoever ends passk. */
class LogFile {
  readonly #descriptor: number;
  #room = LONGEST_FILE;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  add(line: string): void {
    if (this.#room <= 0) return;
    const bytes = Buffer.from(`${line}\n`);
    this.#room -= bytes.length;
    const shown = this.#room > 0 ? bytes : Buffer.from(`The rest is not kept: ${LONGEST_FILE} bytes are full.\n`);
    writeSync(this.#descriptor, shown);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The files of all runners of a run: `PLUGIN@RUNTIME.log`, each written anew. `folder` null: none is kept. */
export class LogFolder {
  readonly #folder: string | null;
  readonly #taken = new Set<string>();

  constructor(folder: string | null) {
    this.#folder = folder;
  }

  /** Throws `OUTPUT` when the file cannot be written. */
  open(plugin: string, runtime: string, scrub: (text: string) => string): RunnerLog {
    if (this.#folder === null) return new RunnerLog(scrub, null);
    const file = path.join(this.#folder, `${this.#nameFor(`${plugin}@${runtime}`)}.log`);
    try {
      makeFolder(this.#folder);
      return new RunnerLog(scrub, new LogFile(openSync(file, 'w')));
    } catch (cause) {
      const why = osErrorText(cause) ?? messageOf(cause);
      throw new PasskError('OUTPUT', `The log cannot be written to ${file}: ${why}.`, { cause });
    }
  }

  #nameFor(wanted: string): string {
    const plain = wanted.replace(/[^\w.@-]/g, '_');
    let name = plain;
    for (let count = 2; this.#taken.has(name.toLowerCase()); count++) name = `${plain}-${count}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
