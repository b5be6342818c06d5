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

const folder = mkdtempSync(path.join(os.tmpdir(), 'passk-web-'));
let browser: Promise<Browser> | undefined;

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
  { extras = {}, ...options }: BrowserContextOptions & { readonly extras?: RenderHtmlOptions } = {},
): Promise<OpenPage> {
  return openHtml(renderHtml(report, TEMPLATE, extras), options);
}

/** The same of a page that is there as a text. */
export async function openHtml(html: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const file = path.join(mkdtempSync(path.join(folder, 'page-')), 'report.html');
  writeFileSync(file, html);
  return openUrl(pathToFileURL(file).href, options);
}

/** The same of a page that somebody serves. */
export async function openUrl(address: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
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
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
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

/** What axe has against the page, by rule and place. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{
    violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

export async function closePages(): Promise<void> {
  await (await browser)?.close();
  rmSync(folder, { recursive: true, force: true });
}
