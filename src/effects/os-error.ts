/** Texts of the operating system's errors, as the reference engine shows them on Linux. */
export const OS_ERROR = {
  argumentsTooLong: 'Argument list too long (os error 7)',
  execFormat: 'Exec format error (os error 8)',
  notFound: 'No such file or directory (os error 2)',
  exists: 'File exists (os error 17)',
  notADirectory: 'Not a directory (os error 20)',
  isADirectory: 'Is a directory (os error 21)',
  nameTooLong: 'File name too long (os error 36)',
  tooManyLinks: 'Too many levels of symbolic links (os error 40)',
  denied: 'Permission denied (os error 13)',
  refused: 'Connection refused (os error 111)',
} as const;
