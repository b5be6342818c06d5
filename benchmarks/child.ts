import process from 'node:process';
import { runSuite } from '../src/suite/run-suite.ts';
import { ROUTE3 } from './subjects.ts';

const [task, argument = ''] = process.argv.slice(2);
const began = performance.now();
if (task === 'trials') await runSuite({ scenarios: [ROUTE3], trials: Number(argument), workers: 2 });
else if (task === 'folder') await runSuite({ paths: [argument], trials: 1, workers: 2 });
else throw new Error(`no task ${task}`);
const tookMs = performance.now() - began;
console.log(JSON.stringify({ peakMiB: process.resourceUsage().maxRSS / 1024, tookMs }));
