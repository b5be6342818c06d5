import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { env, platform } from 'node:process';

/** Where programs keep what they can make again. Null: this user has no such place. */
export function cacheFolder(): string | null {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'passk');
  if (platform === 'win32' && local !== undefined && isAbsolute(local)) return join(local, 'passk', 'Cache');
  const home = homedir();
  if (!isAbsolute(home)) return null;
  return platform === 'darwin' ? join(home, 'Library', 'Caches', 'passk') : join(home, '.cache', 'passk');
}
