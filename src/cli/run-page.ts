import process from 'node:process';
import type { ProgressEvent } from '../public/types.ts';
import type { CommandSettings } from '../settings/setting-types.ts';
import { announce } from './commands/open.ts';
import { untilInterrupt } from './interrupt.ts';
import type { PageServer } from './serve-page.ts';
import type { Terminal } from './terminal.ts';

/** The page of a run, by which it is followed while it goes on. */
export interface RunPage {
  progress(event: ProgressEvent): void;
  /** Puts the report in place of the progress; resolves when the page may end. `interrupted`: its run was stopped. */
  show(html: string, interrupted: boolean): Promise<void>;
  /** Says why there is no report, and resolves when the page may end. */
  fail(problem: string): Promise<void>;
  close(): Promise<void>;
}

/** What a watched run has its watcher show: the page is the watcher's, since it outlives each run. */
export type PageMessage =
  | { readonly page: 'progress'; readonly event: ProgressEvent }
  | { readonly page: 'report'; readonly html: string }
  | { readonly page: 'problem'; readonly problem: string };

/** The page that `--open` asks for; null: none is asked for. `clear` makes room on the terminal for a line. */
export async function openRunPage(
  { open, watched }: CommandSettings,
  terminal: Terminal,
  clear: () => void,
): Promise<RunPage | null> {
  if (open === undefined) return null;
  if (watched === true) return pageOfWatcher();
  // In a job of a CI nobody is there for Ctrl-C.
  const isOfRun = open === 'run' || Boolean(process.env['CI']);
  const end = isOfRun ? { end: 'it ends with the run' } : {};
  const { servePage } = await import('./serve-page.ts');
  const server = await servePage();
  const page = pageOfRun(server, () => announce(server, { browser: true, terminal, clear, ...end }));
  return isOfRun ? page : pageUntilInterrupt(page, terminal);
}

/** Serves the page of a watcher, and says where it is. */
export async function openWatchPage(terminal: Terminal): Promise<PageServer> {
  const { servePage } = await import('./serve-page.ts');
  const server = await servePage();
  await announce(server, { browser: true, terminal });
  return server;
}

/**
 * Shows what a run sent to its watcher, its report with a remark, and passes by whatever else it sent. True: the run has
 * ended with it.
 */
export function showMessage(server: PageServer, message: unknown, remark: string): boolean {
  if (!isPageMessage(message)) return false;
  if (message.page === 'progress') server.progress(message.event);
  else if (message.page === 'report') server.show(message.html, remark);
  else server.fail(message.problem);
  return message.page !== 'progress';
}

function isPageMessage(message: unknown): message is PageMessage {
  return typeof message === 'object' && message !== null && 'page' in message;
}

function pageUntilInterrupt(page: RunPage, terminal: Terminal): RunPage {
  return {
    ...page,
    async show(html, interrupted) {
      const shown = page.show(html, interrupted);
      if (interrupted) return shown;
      // Before the page is open, everything printed so far is written.
      await terminal.flush();
      return untilInterrupt();
    },
  };
}

/**
 * Whoever looks gets the report before the page ends; it stays in the browser. `tell` says where the page is, once the files
 * have loaded: a run that never begins has nothing to show. It resolves to whether a browser was started.
 */
function pageOfRun(server: PageServer, tell: () => Promise<boolean>): RunPage {
  let announced: Promise<boolean> | null = null;
  const deliver = async (): Promise<void> => server.delivered((await announced) === true ? 1 : 0);
  return {
    progress(event) {
      announced ??= tell();
      server.progress(event);
    },
    show(html) {
      announced ??= tell();
      server.show(html);
      return deliver();
    },
    fail(problem) {
      server.fail(problem);
      return deliver();
    },
    close: () => server.close(),
  };
}

/** The page of the watcher that started this run, which is told what to show. */
export function pageOfWatcher(): RunPage {
  const send = (message: PageMessage, onSent: () => void = () => undefined): void => {
    // A watcher that is gone has ended its run.
    if (process.send === undefined) onSent();
    else process.send(message, onSent);
  };
  return {
    progress(event) {
      // The results of a scenario or contract stand in the report, which follows.
      if (event.kind !== 'scenario' && event.kind !== 'result') send({ page: 'progress', event });
    },
    show: (html) => new Promise((resolve) => send({ page: 'report', html }, resolve)),
    fail: (problem) => new Promise((resolve) => send({ page: 'problem', problem }, resolve)),
    close: async () => undefined,
  };
}
