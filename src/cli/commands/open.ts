import { unwatchFile, watchFile } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Command } from 'commander';
import { visibleText } from '../../text/visible-text.ts';
import { untilInterrupt } from '../interrupt.ts';
import { messageOf } from '../message-of.ts';
import { reportExtras } from '../report-extras.ts';
import type { PageServer } from '../serve-page.ts';
import type { Terminal } from '../terminal.ts';

interface OpenFlags {
  readonly browser: boolean;
}

const POLL_MS = 500;

const EXAMPLES = `
Examples:
  passk scenarios --reporter json:report.json
  passk open report.json          the page follows the file: a new report is shown at once
  passk scenarios --open          the page of a run, while it goes on and after it`;

/** Adds `passk open`: shows a JSON report as a page on this machine. */
export function addOpen(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('open')
    .summary('show a JSON report as a page')
    .description('Serves a JSON report as a page on this machine only, until Ctrl-C.')
    .argument('[report]', 'a file of --reporter json:FILE', 'report.json')
    .option('--no-browser', 'only print the address')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: OpenFlags) => done(await open(file, flags, terminal)));
}

async function open(file: string, { browser }: OpenFlags, terminal: Terminal): Promise<number> {
  // Loaded here, because most commands need no server.
  const { servePage } = await import('../serve-page.ts');
  const page = await pageOf(file);
  const server = await servePage();
  const absolute = path.resolve(file);
  const follow = async (): Promise<void> => {
    try {
      server.show(await pageOf(file));
    } catch (error) {
      // The file is being written, or it is gone for now. The report stays until the next change.
      terminal.say(messageOf(error));
      server.fail(visibleText(messageOf(error)));
    }
  };
  // By polling: a report is replaced by renaming, which a watcher of the file does not see.
  watchFile(absolute, { interval: POLL_MS }, () => void follow());
  try {
    server.show(page);
    await announce(server, { browser, terminal });
    await untilInterrupt();
    return 0;
  } finally {
    unwatchFile(absolute);
    await server.close();
  }
}

interface Announcement {
  readonly browser: boolean;
  readonly terminal: Terminal;
  /** How the page ends. */
  readonly end?: string;
  /** Makes room on the terminal; absent: nothing else is on it. */
  readonly clear?: () => void;
}

/** Says where the page is, and opens it where there is a browser. Resolves to whether one was started. */
export async function announce(
  { url }: PageServer,
  { browser, terminal, end = 'Ctrl-C ends it', clear = () => undefined }: Announcement,
): Promise<boolean> {
  const { openBrowser } = await import('../open-browser.ts');
  const opened = browser && (await openBrowser(url, process));
  clear();
  terminal.say(`the report is at ${url}${opened ? '' : ' (open it in a browser)'}; ${end}.`);
  return opened;
}

/** The page of a report. Traces are made again from the files of its scenarios, where these are still there. */
async function pageOf(file: string): Promise<string> {
  const { renderReport } = await import('../../public/suites.ts');
  const { readReport } = await import('../../public/evidence.ts');
  const report = await readReport(file);
  const extras = await reportExtras(report, { needsTraces: true, history: undefined, trials: {} });
  return renderReport(report, { ...extras, reporter: 'html' });
}
