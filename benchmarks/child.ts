import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parse } from 'smol-toml';
import { runSuite } from '../src/suite/run-suite.ts';
import { ROUTE3 } from './subjects.ts';

const [task, argument = ''] = process.argv.slice(2);
const began = performance.now();
let usedWorkers = false;
if (task === 'trials') {
  const { timing } = await runSuite({ scenarios: [ROUTE3], trials: Number(argument), workers: 2 });
  usedWorkers = timing.executor === 'workers';
} else if (task === 'folder') await runSuite({ paths: [argument], trials: 1, workers: 2 });
else if (task === 'parse') parseAll(argument);
else if (task === 'score') await runSuite({ recordings: [argument], workers: 0 });
else if (task === 'score-workers') await runSuite({ recordings: [argument], workers: 2 });
else if (task === 'sessions') await holdSessions(argument);
else if (task === 'parse-json') JSON.parse(readFileSync(argument, 'utf8'));
else if (task === 'parse-lines') parseLines(argument);
else throw new Error(`no task ${task}`);
const tookMs = performance.now() - began;

async function holdSessions(what: string): Promise<void> {
  const { file, module, trials } = JSON.parse(what) as { file: string; module: string | null; trials: number };
  const permissions = module === null ? {} : { run: [module] };
  const { summary } = await runSuite({ paths: [file], trials, workers: 1, permissions });
  if (summary.trials.passed !== trials) throw new Error(`${file}: not every session passed`);
}

/** What reading and parsing take alone. */
function parseAll(folder: string): void {
  for (const group of readdirSync(folder)) {
    for (const file of readdirSync(path.join(folder, group))) {
      parse(readFileSync(path.join(folder, group, file), 'utf8'));
    }
  }
}

/** Each line by itself: one text may not hold them all. */
function parseLines(file: string): void {
  const bytes = readFileSync(file);
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const to = end === -1 ? bytes.length : end;
    JSON.parse(bytes.toString('utf8', from, to));
    from = to + 1;
  }
}

console.log(JSON.stringify({ peakMiB: process.resourceUsage().maxRSS / 1024, tookMs, usedWorkers }));
