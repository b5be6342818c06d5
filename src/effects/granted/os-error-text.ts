import { constants } from 'node:os';
import { exhaustion } from '../../values/file-problem.ts';
import { OS_ERROR } from '../os-error.ts';

const TEXTS: Readonly<Record<string, string>> = {
  E2BIG: OS_ERROR.argumentsTooLong,
  EACCES: OS_ERROR.denied,
  EEXIST: OS_ERROR.exists,
  EISDIR: OS_ERROR.isADirectory,
  ELOOP: OS_ERROR.tooManyLinks,
  ENAMETOOLONG: OS_ERROR.nameTooLong,
  ENOENT: OS_ERROR.notFound,
  ENOEXEC: OS_ERROR.execFormat,
  ENOTDIR: OS_ERROR.notADirectory,
};

/** The code of a system error such as `ENOENT`; null for any other error. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const { code } = error;
  return typeof code === 'string' && code in constants.errno ? code : null;
}

/** True: this machine has run out of something, which says nothing about whoever asked for it. */
export function isExhaustion(error: unknown): boolean {
  return exhaustion(systemCode(error) ?? '') !== null;
}

/** Why a program did not start, after a colon. */
export function startProblem(error: Error): string {
  return exhaustion(systemCode(error) ?? '') ?? error.message;
}

/** What an error of the operating system is called in replies; null for any other error. Names no path. */
export function osErrorText(error: unknown): string | null {
  const code = systemCode(error);
  return code === null ? null : (TEXTS[code] ?? exhaustion(code) ?? `the operating system answers ${code}`);
}
