import { appendFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { RenderOptions, SuiteReport } from '../public/types.ts';
import { messageOf } from './message-of.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The longest summary of a step that GitHub takes. It drops a longer one as a whole. */
const MOST_BYTES = 1024 * 1024;
/** The shortest summary that is of use. */
const LEAST_BYTES = 1024;

/** The path from the repository to the working folder, with `/`: annotations name files from the repository on. */
export function folderInRepository(env: Env, cwd: string): string {
  const workspace = env['GITHUB_WORKSPACE'];
  if (workspace === undefined || workspace === '') return '';
  const folder = path.relative(workspace, cwd).split(path.sep).join('/');
  return folder === '..' || folder.startsWith('../') || path.isAbsolute(folder) ? '' : folder;
}

/** Adds the Markdown report to the step's summary, where there is one. Resolves to what went wrong, or to null. */
export async function appendStepSummary(
  report: SuiteReport,
  env: Env,
  style: Partial<RenderOptions>,
): Promise<string | null> {
  const file = env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return null;
  const { renderReport } = await import('../public/suites.ts');
  try {
    const usedBytes = await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    const maxBytes = MOST_BYTES - usedBytes;
    if (maxBytes < LEAST_BYTES) return 'The step summary is full: GitHub takes 1 MiB.';
    await appendFile(file, renderReport(report, { ...style, reporter: 'markdown', color: false, maxBytes }));
    return null;
  } catch (error) {
    return `The step summary could not be written to ${file}: ${messageOf(error)}.`;
  }
}
