import type { RenderOptions, ReportFile } from '../types/render-options.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import type { ReportMessage } from '../types/reports/report-message.ts';
import type { Reporter } from './reporter.ts';
import { textAt } from '../values/json-fields.ts';

/** One report that the user asks for. */
export interface ReportRequest {
  /** Who makes the report. */
  readonly reporter: Reporter;
  /** The file or folder it goes to, or the URL; null: standard output. */
  readonly path: string | null;
  /** The same URL, where it is sent. */
  readonly url?: string;
}

/** One report, ready to be written. */
export interface RenderedReport {
  /** The reporter's word. */
  readonly name: string;
  /** The file, as it was named; null: standard output. */
  readonly path: string | null;
  /** The report's text, as UTF-8. */
  readonly bytes: Uint8Array;
  /** Whether the text is escaped for a format of its own. */
  readonly escapes: boolean;
}

/** A folder of files, ready to be written. */
export interface RenderedFolder {
  /** The reporter's word. */
  readonly name: string;
  /** The folder, as it was named. */
  readonly path: string;
  /** What the folder holds. */
  readonly files: readonly {
    /** Path inside the folder, with `/`. */
    readonly name: string;
    /** The file's content. */
    readonly bytes: Uint8Array;
  }[];
  /** Whether a file that is there already may be replaced; absent: no file may. */
  readonly isOwn?: (file: ReportFile) => boolean;
}

/** Requests to a collector, ready to be sent. */
export interface OutgoingReport {
  /** The reporter's word. */
  readonly name: string;
  /** Where the messages are to be sent. */
  readonly url: string;
  /** Makes and reads the messages. */
  readonly sender: NonNullable<Reporter['sender']>;
  /** What is to be sent, in this order. */
  readonly messages: readonly ReportMessage[];
}

/** What `renderReports()` made, and what it could not make. */
export interface RenderedReports {
  /** Reports that are one file each. */
  readonly reports: readonly RenderedReport[];
  /** Reports that are folders. */
  readonly folders: readonly RenderedFolder[];
  /** For `sendReports`. */
  readonly outgoing: readonly OutgoingReport[];
  /** Reporters that broke; the others are complete. */
  readonly broken: readonly {
    /** The reporter's word. */
    readonly name: string;
    /** Where its report was to go; null: standard output. */
    readonly path: string | null;
    /** What the reporter threw. */
    readonly cause: unknown;
  }[];
}

/** Renders every report. A reporter that breaks is named; the others go on. */
export function renderReports(
  report: SuiteReport,
  requests: readonly ReportRequest[],
  options: RenderOptions,
): RenderedReports {
  const encoder = new TextEncoder();
  const reports: RenderedReport[] = [];
  const folders: RenderedFolder[] = [];
  const outgoing: OutgoingReport[] = [];
  const broken: { name: string; path: string | null; cause: unknown }[] = [];
  for (const { reporter, path, url } of requests) {
    const name = reporter.type;
    try {
      if (url !== undefined && reporter.sender !== undefined) {
        const messages = soundMessages(reporter.sender.messages(report, forFile(options)));
        outgoing.push({ name, url, sender: reporter.sender, messages });
        continue;
      }
      if (path !== null && reporter.files !== undefined) {
        const files = soundFiles(reporter.files(report, forFile(options)));
        folders.push({
          name,
          path,
          files: files.map((file) => ({ name: file.name, bytes: encoder.encode(file.text) })),
          ...(reporter.isOwn !== undefined && { isOwn: (file) => reporter.isOwn?.(file) === true }),
        });
        continue;
      }
      const text: unknown = reporter.render(report, path === null ? options : forFile(options));
      if (typeof text !== 'string') throw new TypeError(`It gave ${describe(text)} instead of text.`);
      reports.push({ name, path, bytes: encoder.encode(text), escapes: reporter.escapes === true });
    } catch (cause) {
      broken.push({ name, path, cause });
    }
  }
  return { reports, folders, outgoing, broken };
}

/** The options for a file: no colours, 80 columns, UTF-8. */
export function forFile(options: RenderOptions): RenderOptions {
  return { ...options, color: false, unicode: true, columns: 80 };
}

/**
 * Files whose names are valid below the folder on every system, none of them twice. Throws for others: a plug-in may give
 * anything.
 */
function soundFiles(files: unknown): readonly ReportFile[] {
  if (!Array.isArray(files)) throw new TypeError(`It gave ${describe(files)} instead of files.`);
  const names = new Set<string>();
  return files.map((file: unknown) => {
    const [name, text] = [textAt(file, 'name') ?? '', textAt(file, 'text')];
    if (!FILE_NAME.test(name) || DEVICE.test(name)) throw new Error(`It gave a file the name ${JSON.stringify(name)}.`);
    if (names.has(name.toLowerCase())) throw new Error(`It gave two files the name ${JSON.stringify(name)}.`);
    if (text === null) throw new TypeError(`It gave no text for its file ${JSON.stringify(name)}.`);
    names.add(name.toLowerCase());
    return { name, text };
  });
}

/** Messages whose paths stay below the URL. Throws for others: a plug-in may give anything. */
function soundMessages(messages: unknown): readonly ReportMessage[] {
  if (!Array.isArray(messages)) throw new TypeError(`It gave ${describe(messages)} instead of messages.`);
  return messages.map((message: unknown) => {
    const [path, body] = [textAt(message, 'path') ?? '', textAt(message, 'body')];
    if (!/^(?:\/[A-Za-z0-9_-]+)*$/.test(path)) throw new Error(`It gave a message the path ${JSON.stringify(path)}.`);
    if (body === null) throw new TypeError('It gave a message without a body.');
    return { path, body, holds: textAt(message, 'holds') ?? 'a message' };
  });
}

const FILE_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,198}[A-Za-z0-9_-])?$/;
/** Names that Windows takes for devices, whatever follows the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

function describe(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
