import { useState } from 'preact/hooks';

const KEY = 'passk-theme';
const THEMES = ['system', 'light', 'dark'] as const;

type Theme = (typeof THEMES)[number];

/** What canvases listen to: they cannot follow the style sheet by themselves. */
export const THEME_EVENT = 'passk-theme-change';

/** Applies what was chosen last time, and tells canvases when the system changes its mind, or the page is printed. */
export function startTheme(): void {
  applyTheme(storedTheme());
  for (const query of ['(prefers-color-scheme: dark)', 'print']) {
    matchMedia(query).addEventListener('change', () => dispatchEvent(new Event(THEME_EVENT)));
  }
}

/** Lets people choose light or dark for themselves. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (value: string): void => {
    const chosen = THEMES.find((candidate) => candidate === value) ?? 'system';
    setTheme(chosen);
    applyTheme(chosen);
    try {
      localStorage.setItem(KEY, chosen);
    } catch {
      // A page from the disk may have no storage: the choice then lasts as long as the page.
    }
  };
  return (
    <label class="theme">
      Theme{' '}
      <select value={theme} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

/** The colour that a custom property has at the moment, for canvases. */
export function themeColor(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function applyTheme(theme: Theme): void {
  document.documentElement.style.setProperty('--theme', theme === 'system' ? 'light dark' : theme);
  dispatchEvent(new Event(THEME_EVENT));
}

function storedTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}
