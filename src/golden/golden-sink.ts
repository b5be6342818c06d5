import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PasskError } from '../errors.ts';
import { openIssueFile, sinkIssues } from '../release/issue-sink.ts';
import { type SendOptions, sendReports } from '../suite/send-reports.ts';
import type { GoldenIssue } from '../types/golden/golden-report.ts';

/** Where issues are filed. */
export interface GoldenSink {
  /** Files those that were not filed before; resolves to how many were. Rejects with `OUTPUT` where one is not taken. */
  file(issues: readonly GoldenIssue[]): Promise<number>;
}

export interface GoldenSinkContext {
  /** Absolute name of the golden set. */
  readonly file: string;
  readonly options: SendOptions;
}

const KEPT = 'The runs of the candidate are kept. Run it again with another --issue-sink.';

/**
 * The sink of issues, before anything runs: a file of JSON lines, or a URL. What goes to a URL stands in a file beside the golden
 * set first, so that a server that is down loses nothing: a later run sends what is left. Rejects with `USAGE` for a URL that is
 * not granted, and with `INPUT` or `INTEGRITY` for a file of something else.
 */
export async function openGoldenSink(sink: string, { file, options }: GoldenSinkContext): Promise<GoldenSink> {
  if (!/^https?:\/\//i.test(sink)) {
    const issueFile = await openIssueFile(path.resolve(options.cwd ?? process.cwd(), sink), sink);
    return { file: async (issues) => (await sinkIssues(issues, issueFile, KEPT)).length };
  }
  // Sends nothing, and says whether it may.
  await post(sink, [], options);
  const { dir, name } = path.parse(file);
  const outbox = path.join(dir, `${name}.issues.jsonl`);
  const log = path.join(dir, `${name}.issues.sent.jsonl`);
  const [written, sent] = await Promise.all([outbox, log].map((one) => openIssueFile(one, path.basename(one))));
  if (written === undefined || sent === undefined) throw new TypeError('both files were opened');
  return {
    file: async (issues) => {
      await sinkIssues(issues, written, KEPT);
      const left = (await linesOf(outbox)).filter(({ fingerprint }) => !sent.earlier.has(fingerprint));
      for (const { fingerprint, text } of left) {
        const problem = await post(sink, [text], options);
        if (problem !== null) {
          throw new PasskError('OUTPUT', `The issues were not taken by ${problem.url}: ${problem.message}.`, {
            hint: `Nothing is lost: they stand in ${path.basename(outbox)}, and the next run sends what is left.`,
          });
        }
        await sinkIssues([{ fingerprint }], sent, KEPT);
      }
      return left.length;
    },
  };
}

async function post(url: string, bodies: readonly string[], options: SendOptions) {
  const messages = bodies.map((body) => ({ path: '', body, holds: '1 issue' }));
  const sender = { headersFrom: 'PASSK_ISSUE_HEADERS', messages: () => messages };
  const problems = await sendReports([{ name: 'issues', url, sender, messages }], options);
  return problems.find(({ isWarning }) => !isWarning) ?? null;
}

/** Issues of a file that was looked at. */
async function linesOf(file: string): Promise<readonly { readonly fingerprint: string; readonly text: string }[]> {
  if (!existsSync(file)) return [];
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  return lines.map((text) => ({ fingerprint: (JSON.parse(text) as GoldenIssue).fingerprint, text }));
}
