/** The system's code of a failed file operation, or ''. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Why a file operation failed, in words that follow a colon. */
export function fileProblem(error: unknown): string {
  const problem = PROBLEMS[codeOf(error)];
  if (problem !== undefined) return problem;
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}

/**
 * What this machine has run out of, where that is why an operation failed, by the system's code; null: of nothing. It says
 * nothing about whoever was to be asked.
 */
export function exhaustion(code: string): string | null {
  return EXHAUSTED[code] ?? null;
}

const FILES = 'this machine opens no more files and connections';
const LESS = 'ask less at a time with --concurrency';
const EXHAUSTED: Readonly<Record<string, string>> = {
  EMFILE: `${FILES} for one process (EMFILE): raise \`ulimit -n\`, or ${LESS}`,
  ENFILE: `${FILES} (ENFILE): ${LESS}`,
  ENOBUFS: `this machine has no memory left for another connection (ENOBUFS): ${LESS}`,
  ENOMEM: `this machine has no memory left (ENOMEM): ${LESS}`,
};

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'there is a folder in its place',
  EEXIST: 'there is a file in its place',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it would be larger than the system allows',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
};
