import path from 'node:path';

/** True for names that the system gives to devices and open descriptors, such as /dev/stdout: nothing is put in their place. */
export function isDevicePath(file: string): boolean {
  return /^\/(?:dev|proc)\//.test(path.resolve(file));
}
