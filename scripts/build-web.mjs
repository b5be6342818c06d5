// Builds the page of the HTML report: web/ becomes one file in which everything is inline, with a content security
// policy that allows its own script and no other, and no network. A page made from the same sources is taken over.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WEB = path.join(ROOT, 'web');
/** What the page is made of: its own sources, what it shares with the report, and the packages. */
const SOURCES = ['web', 'src/report', 'scripts/build-web.mjs', 'package-lock.json'];
const POLICY = /content="default-src 'none'"/;

/** Leaves `web/report.html` and the licences of what is in it under `outDir`; `oldDir` may hold a build to take over. */
export async function buildWeb(outDir, oldDir) {
  const target = path.join(outDir, 'web');
  const stamp = hashSources();
  const old = path.join(oldDir, 'web');
  if (existsSync(path.join(old, 'stamp.txt')) && readFileSync(path.join(old, 'stamp.txt'), 'utf8') === stamp) {
    cpSync(old, target, { recursive: true });
    return;
  }
  const { html, packages } = await bundlePage();
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, 'report.html'), withPolicy(html));
  writeFileSync(path.join(target, 'LICENSES.txt'), licencesOf(packages));
  writeFileSync(path.join(target, 'stamp.txt'), stamp);
}

async function bundlePage() {
  const { build } = await import('vite');
  const { viteSingleFile } = await import('vite-plugin-singlefile');
  const packages = new Set();
  const collect = {
    name: 'collect-packages',
    generateBundle(_options, bundle) {
      for (const id of Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}))) {
        const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'));
        if (found !== null) packages.add(found[1]);
      }
    },
  };
  const { output } = await build({
    root: WEB,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: false,
      assetsInlineLimit: 10_000_000,
    },
    plugins: [collect, viteSingleFile({ removeViteModuleLoader: true })],
  });
  const page = output.find(({ fileName }) => fileName === 'index.html');
  if (page === undefined || output.length !== 1) throw new Error('The page did not become one file.');
  return { html: String(page.source), packages: [...packages].sort() };
}

/** Scripts by their digest, styles inline, nothing from anywhere. */
function withPolicy(html) {
  const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].filter(
    ([, head]) => !head.includes('json'),
  );
  if (scripts.length === 0 || !POLICY.test(html))
    throw new Error('The page has no script, or no place for its policy.');
  const digests = scripts.map(([, , code]) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  const rules = [
    "default-src 'none'",
    `script-src ${digests.join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return html.replace(POLICY, () => `content="${rules.join('; ')}"`);
}

function licencesOf(packages) {
  return packages
    .map((name) => {
      const folder = path.join(ROOT, 'node_modules', name);
      const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').trim();
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function hashSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(listFiles)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(source) {
  const full = path.join(ROOT, source);
  if (!existsSync(full)) throw new Error(`${source} is missing.`);
  if (/\.\w+$/.test(source)) return [source];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/** For working on the page: `node scripts/build-web.mjs` rebuilds nothing but it. */
if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === path.resolve(process.argv[1])) {
  rmSync(path.join(ROOT, 'dist', 'web'), { recursive: true, force: true });
  await buildWeb(path.join(ROOT, 'dist'), path.join(ROOT, 'dist'));
}
