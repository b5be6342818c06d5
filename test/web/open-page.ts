import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { type RenderHtmlOptions, renderHtml } from '../../src/report/html/render-html.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';

const CHROMIUM = '/usr/bin/chromium';
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('chromium');

/** True: Debian's Chromium is not here and nobody requires it, so tests that need it are skipped by name. */
export const noChromium: boolean = !existsSync(CHROMIUM) && !required;

/** The built page, as the suite reads it. */
export const TEMPLATE = readFileSync(new URL('../../dist/web/report.html', import.meta.url), 'utf8');

/** Of the file of tests that runs: files share a process, and each closes what it opened. */
let folder: string | undefined;
let browser: Promise<Browser> | undefined;
/** One for all tests: to start another takes longer than to leave a document for the next. */
let shared: Page | undefined;

const WIDE = { width: 1280, height: 900 };

/** Who looks at a page; else at a wide screen in the light. */
type Looker = Pick<BrowserContextOptions, 'colorScheme' | 'viewport'>;

/** A report opened from the disk, and everything it complained about or asked for. */
export interface OpenPage {
  readonly page: Page;
  /** Messages of the console and errors that nobody caught. */
  readonly complaints: readonly string[];
  /** Addresses other than that of the page itself. */
  readonly requests: readonly string[];
}

export async function openPage(
  report: SuiteReport,
  { extras = {}, ...looker }: Looker & { readonly extras?: RenderHtmlOptions } = {},
): Promise<OpenPage> {
  return openHtml(renderHtml(report, TEMPLATE, extras), looker);
}

/** The same of a page that is there as a text. */
export async function openHtml(html: string, looker: Looker = {}): Promise<OpenPage> {
  folder ??= mkdtempSync(path.join(os.tmpdir(), 'passk-web-'));
  const file = path.join(mkdtempSync(path.join(folder, 'page-')), 'report.html');
  writeFileSync(file, html);
  return openUrl(pathToFileURL(file).href, looker);
}

/** The same of a page that somebody serves. What was opened before is left. */
export async function openUrl(address: string, looker: Looker = {}): Promise<OpenPage> {
  const page = await emptyPage();
  await page.setViewportSize(looker.viewport ?? WIDE);
  await page.emulateMedia({ colorScheme: looker.colorScheme ?? 'light' });
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith('data:')) requests.push(url);
  });
  await page.goto(address);
  await page.waitForSelector('h1');
  return { page, complaints, requests };
}

/** A page that shows nothing, remembers nothing, and is listened to by nobody. */
async function emptyPage(): Promise<Page> {
  browser ??= chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  if (shared === undefined) {
    shared = await (await browser).newPage();
    return shared;
  }
  await shared.evaluate('localStorage.clear(), sessionStorage.clear()');
  await shared.goto('about:blank');
  shared.removeAllListeners();
  return shared;
}

/** What axe has against the page, by rule and place. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{
    violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

export async function closePages(): Promise<void> {
  const open = browser;
  browser = undefined;
  shared = undefined;
  await (await open)?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}
