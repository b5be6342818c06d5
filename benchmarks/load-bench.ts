import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { loadSuite } from '../src/suite/load-suite.ts';
import { runSuite } from '../src/suite/run-suite.ts';
import type { Bench } from './bench.ts';
import { runChild } from './child-process.ts';
import { alternate, timeOnce } from './pairs.ts';
import { writeScenarioFiles } from './scenario-files.ts';

const WHOLE = 'all of it / smol-toml alone';

/**
 * Point 6: a whole `runSuite` over many files at one trial each (found, read, parsed with the workflow inside, validated,
 * planned, compiled, run, folded into a report) against reading each file and parsing it with smol-toml, without the
 * workflow inside.
 */
export const loadBench: Bench = {
  name: 'load',
  about: 'runs of generated files at one trial each, against reading and parsing them with smol-toml alone',
  async run({ quick, folder }) {
    const count = quick ? 1000 : 10_000;
    const corpus = path.join(folder, 'corpus');
    const files = writeScenarioFiles(corpus, count);
    const [alike, alikeFiles] = [
      path.join(folder, 'alike'),
      writeScenarioFiles(path.join(folder, 'alike'), count, true),
    ];
    try {
      const parseAll =
        (inner: boolean, all = files) =>
        () => {
          for (const file of all) {
            const document = parse(readFileSync(file, 'utf8')) as { readonly workflow: { readonly inline: string } };
            if (inner) parse(document.workflow.inline);
          }
        };
      const pairs = quick ? 3 : 9;
      const runAll = (paths: string) => async () => {
        const { summary } = await runSuite({ paths: [paths], trials: 1, workers: 2 });
        if (summary.scenarios !== count) throw new Error(`${summary.scenarios} scenarios ran`);
      };
      const whole = await alternate(
        pairs,
        () => timeOnce(parseAll(false)),
        () => timeOnce(runAll(corpus)),
      );
      const likely = await alternate(
        pairs,
        () => timeOnce(parseAll(false, alikeFiles)),
        () => timeOnce(runAll(alike)),
      );
      const fresh = await alternate(
        pairs,
        () => runChild(folder, 'parse', corpus).tookMs,
        () => runChild(folder, 'folder', corpus).tookMs,
      );
      const inline = await timeOnce(() => runSuite({ paths: [corpus], trials: 1, workers: 0 }));
      const both = await alternate(
        pairs,
        () => timeOnce(parseAll(true)),
        () =>
          timeOnce(async () => {
            if ((await loadSuite({ paths: [corpus] })).scenarios.length !== count)
              throw new Error('not all files load');
          }),
      );
      const few = path.join(corpus, 'group-0');
      const memory = { few: runChild(folder, 'folder', few).peakMiB, all: runChild(folder, 'folder', corpus).peakMiB };
      return [
        { name: 'smol-toml alone, per file', value: (whole.a * 1000) / count, unit: 'us' },
        { name: 'load, validate, plan, run, report, per file', value: (whole.b * 1000) / count, unit: 'us' },
        { name: 'the same without workers, per file', value: (inline * 1000) / count, unit: 'us' },
        quick
          ? { name: WHOLE, value: whole.ratio, unit: 'x', note: 'V8 is still compiling; the bar is for 10,000 files' }
          : { name: WHOLE, value: whole.ratio, unit: 'x', atMost: 8 },
        {
          name: 'all of it / smol-toml on file and workflow',
          value: whole.b / both.a,
          unit: 'x',
          note: 'the workflow inside each file is a document of its own',
        },
        {
          name: 'the same in processes that begin with it',
          value: fresh.ratio,
          unit: 'x',
          note: 'the others measure code that has been compiled; both sides compile theirs here',
        },
        {
          name: 'the same where workflows are alike',
          value: likely.ratio,
          unit: 'x',
          note: 'as in suites of many scenarios over few workflows: they differ in their name alone',
        },
        {
          name: 'load and validate / smol-toml on file and workflow',
          value: both.ratio,
          unit: 'x',
          note: 'the rest is planning, compiling, running and the report',
        },
        { name: 'peak memory, 100 files', value: memory.few, unit: 'MiB' },
        { name: `peak memory, ${count} files`, value: memory.all, unit: 'MiB' },
        { name: 'memory per file beyond', value: ((memory.all - memory.few) / (count - 100)) * 1024, unit: 'KiB' },
      ];
    } finally {
      for (const place of [corpus, alike]) rmSync(place, { recursive: true, force: true });
    }
  },
};
