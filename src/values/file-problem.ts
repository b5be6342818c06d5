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

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'there is a folder in its place',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it would be larger than the system allows',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
};
