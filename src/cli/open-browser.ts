import { spawn } from 'node:child_process';

const COMMANDS: Readonly<Record<string, readonly [string, ...(readonly string[])]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Starts the user's browser where there is a screen. Resolves to whether it was started. */
export function openBrowser(
  url: string,
  { env, platform }: Pick<NodeJS.Process, 'env' | 'platform'>,
): Promise<boolean> {
  // Without a screen xdg-open would start a browser inside the terminal.
  const hasScreen = platform in COMMANDS || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
  if (!hasScreen || env['CI']) return Promise.resolve(false);
  const [command, ...args] = COMMANDS[platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
