import type { WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { ReportRequest } from '../public/suites.ts';
import type { ProgressEvent, RenderOptions } from '../public/types.ts';
import { freezeDeep } from '../values/freeze-deep.ts';
import { messageOf } from './message-of.ts';
import { openAnew } from './open-anew.ts';
import { brokenText } from './reports.ts';
import type { Terminal } from './terminal.ts';

/** Reports that are written while the run goes on. */
export interface LiveReports {
  readonly show: (event: ProgressEvent) => void;
  /** Waits until everything is written; resolves to what went wrong. */
  readonly close: () => Promise<readonly string[]>;
}

interface Sink {
  readonly write: (text: string) => void;
  readonly close: () => Promise<void>;
}

const PROGRESS_MS = 100;

const NONE: LiveReports = { show: () => undefined, close: async () => [] };

/** Follows a run for these reporters. One that breaks gets no more events; the others go on. */
export async function openLiveReports(
  requests: readonly ReportRequest[],
  { terminal, options }: { readonly terminal: Terminal; readonly options: RenderOptions },
): Promise<LiveReports> {
  if (requests.length === 0) return NONE;
  const { renderEvent } = await import('../public/progress.ts');
  const failures: string[] = [];
  const followers = requests.map((request) => ({
    request,
    sink: createSink(request, terminal, options),
    broken: false,
  }));
  let progressAt = Number.NEGATIVE_INFINITY;
  return {
    show(event) {
      if (event.kind === 'progress') {
        const now = performance.now();
        if (now - progressAt < PROGRESS_MS) return;
        progressAt = now;
      }
      // What a reporter changed would be kept, reported and judged.
      if (event.kind === 'end') freezeDeep(event.report);
      for (const follower of followers) {
        if (follower.broken) continue;
        try {
          const text = renderEvent(event, follower.request, options);
          if (text !== null && text !== '') follower.sink.write(text);
        } catch (cause) {
          follower.broken = true;
          failures.push(brokenText(follower.request.reporter.type, cause));
        }
      }
    },
    async close() {
      // A run that fails closes them twice.
      for (const { request, sink } of followers.splice(0)) {
        try {
          await sink.close();
        } catch (cause) {
          const { reporter, path } = request;
          failures.push(`The ${reporter.type} report could not be written to ${path}: ${messageOf(cause)}.`);
        }
      }
      return failures;
    },
  };
}

/** A file is opened with its first text, so that a run that never starts keeps the report of the last one. */
function createSink({ path: file, reporter }: ReportRequest, terminal: Terminal, options: RenderOptions): Sink {
  if (file === null) {
    const print = (text: string): void => terminal.print(text, options);
    return { write: reporter.escapes === true ? terminal.printData : print, close: async () => undefined };
  }
  let stream: WriteStream | null = null;
  let writing: Promise<void> | null = null;
  const open = async (): Promise<void> => {
    stream = openAnew(file);
    await finished(stream);
  };
  return {
    write(text) {
      if (writing === null) {
        writing = open();
        // `close` rejects with the same error; until then nobody waits for it.
        writing.catch(() => undefined);
      }
      stream?.write(text);
    },
    async close() {
      stream?.end();
      await writing;
    },
  };
}
