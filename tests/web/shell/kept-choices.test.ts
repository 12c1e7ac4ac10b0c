/** Language and appearance at the begin of a visit: as they were chosen before, else as browser and system have them. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const KEYS = { language: 'deckhand.language', theme: 'deckhand.theme' } as const;

/** The system's appearance, which a test may change. */
let system: EventTarget & { matches: boolean };

beforeEach(() => {
  vi.resetModules();
  system = Object.assign(new EventTarget(), { matches: false });
  vi.stubGlobal('matchMedia', () => system);
});
afterEach(() => vi.restoreAllMocks());

const language = async (stored: string | null, browser: string): Promise<string> => {
  if (stored !== null) localStorage.setItem(KEYS.language, stored);
  vi.spyOn(navigator, 'language', 'get').mockReturnValue(browser);
  const { currentLanguage } = await import('../../../web/words/language.ts');
  return `${currentLanguage()} ${document.documentElement.lang}`;
};
const theme = (): string | undefined => document.documentElement.dataset['theme'];

it('The language is the one that was chosen', async () => {
  expect(await language('de', 'en-GB')).toBe('de de');
});

it('The language is the browser’s where none was chosen', async () => {
  expect(await language(null, 'de-AT')).toBe('de de');
});

it('The language is English where it is neither known nor German', async () => {
  expect(await language('fr', 'fr-FR')).toBe('en en');
});

it('The appearance follows the system’s until another one is chosen', async () => {
  const { followTheme, setTheme } = await import('../../../web/shell/theme.ts');
  followTheme();
  expect(theme()).toBe('light');
  system.matches = true;
  system.dispatchEvent(new Event('change'));
  expect(theme()).toBe('dark');
  setTheme('light');
  system.dispatchEvent(new Event('change'));
  expect(theme()).toBe('light');
  expect(localStorage.getItem(KEYS.theme)).toBe('light');
});

it('The appearance is the one that was chosen, also against the system’s', async () => {
  localStorage.setItem(KEYS.theme, 'dark');
  const { followTheme } = await import('../../../web/shell/theme.ts');
  followTheme();
  expect(theme()).toBe('dark');
});

it('A stored appearance that is not known is as none', async () => {
  localStorage.setItem(KEYS.theme, 'sepia');
  system.matches = true;
  const { followTheme } = await import('../../../web/shell/theme.ts');
  followTheme();
  expect(theme()).toBe('dark');
});
