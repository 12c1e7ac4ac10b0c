/** The frame around every page: the bar with the pages, whether they are live, and the account menu. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { CircleUser, Menu as MenuIcon } from 'lucide-react';
import type { Language } from '../../domain/models/model-tasks.ts';
import { formatTime } from '../format.ts';
import { leave } from '../leave.ts';
import { useConnection } from '../live/cache.ts';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine, MenuLink } from '../ui/menu.tsx';
import { Toasts } from '../ui/toast.tsx';
import { setLanguage, useLanguage, useWords } from '../words/language.ts';
import { sessionQuery } from './session.ts';
import { setTheme, THEMES, useTheme } from './theme.ts';
import { shellWords } from './words.ts';

const PAGES = [
  { to: '/', name: 'decks' },
  { to: '/portfolio', name: 'portfolio' },
  { to: '/companies', name: 'companies' },
  { to: '/calibration', name: 'calibration' },
] as const;

const LANGUAGES = [
  ['en', 'English'],
  ['de', 'Deutsch'],
] as const satisfies readonly (readonly [Language, string])[];

/** The frame; the page is inside it. */
export function Frame() {
  const words = useWords(shellWords);
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-panel focus:px-3 focus:py-2"
      >
        {words.skip}
      </a>
      <header className="no-print sticky top-0 z-30 flex h-13 shrink-0 items-center gap-1 border-b border-line bg-panel px-3 sm:gap-4 sm:px-5">
        <div className="sm:hidden">
          <Menu
            align="start"
            trigger={
              <IconButton label={words.menu}>
                <MenuIcon size={20} aria-hidden />
              </IconButton>
            }
          >
            {PAGES.map(({ to, name }) => (
              <MenuLink key={to}>
                <Link to={to}>{words[name]}</Link>
              </MenuLink>
            ))}
          </Menu>
        </div>
        <Link to="/" className="flex items-center gap-2 font-semibold">
          <img src="/assets/icon.svg" alt="" width={22} height={22} />
          Deckhand
        </Link>
        <nav aria-label={words.navigation} className="hidden h-full gap-1 sm:flex">
          {PAGES.map(({ to, name }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className="flex h-full items-center border-b-2 border-transparent px-2.5 text-sm text-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
            >
              {words[name]}
            </Link>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1.5">
          <ConnectionState />
          <AccountMenu />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="flex min-w-0 grow flex-col outline-none">
        <Outlet />
      </main>
      <Toasts />
    </div>
  );
}

/** Whether what is shown is of now; nothing until that is known. */
function ConnectionState() {
  const words = useWords(shellWords);
  const language = useLanguage();
  const connection = useConnection();
  if (connection === null) return null;
  const { live, sinceMs } = connection;
  return (
    <span
      role="status"
      title={live ? words.liveTitle : words.notLiveTitle}
      className={classes('flex items-center gap-1.5 text-xs', live ? 'text-soft' : 'text-warn')}
    >
      <span aria-hidden className={classes('size-2 rounded-full', live ? 'bg-good' : 'bg-warn')} />
      {live ? words.live : words.asOf(formatTime(new Date(sinceMs).toISOString(), language))}
    </span>
  );
}

/** Who is signed in, language, appearance, and documents for operators. */
function AccountMenu() {
  const words = useWords(shellWords);
  const language = useLanguage();
  const theme = useTheme();
  const { data: session } = useQuery(sessionQuery);
  const isOpen = session?.keyId === null;
  return (
    <Menu
      trigger={
        <IconButton label={session === undefined || isOpen ? words.noKeys : words.signedInAs(session.name)}>
          <CircleUser size={20} aria-hidden />
        </IconButton>
      }
    >
      {session === undefined ? null : <MenuLabel>{isOpen ? words.noKeys : words.signedInAs(session.name)}</MenuLabel>}
      <MenuLabel>{words.language}</MenuLabel>
      {LANGUAGES.map(([each, name]) => (
        <MenuCheck key={each} checked={each === language} onChange={() => setLanguage(each)}>
          {name}
        </MenuCheck>
      ))}
      <MenuLabel>{words.theme}</MenuLabel>
      {THEMES.map((each) => (
        <MenuCheck key={each} checked={each === theme} onChange={() => setTheme(each)}>
          {words.themes[each]}
        </MenuCheck>
      ))}
      <MenuLine />
      <MenuLink>
        <a href="/api/v1/costs?format=html">{words.costs}</a>
      </MenuLink>
      {session?.role === 'operator' ? (
        <MenuLink>
          <a href="/api/v1/alerts?format=html">{words.alerts}</a>
        </MenuLink>
      ) : null}
      <MenuLink>
        <a href="/api/v1/openapi.json">{words.apiDocument}</a>
      </MenuLink>
      {session === undefined || isOpen ? null : (
        <>
          <MenuLine />
          <MenuItem onSelect={() => void signOut()}>{words.signOut}</MenuItem>
        </>
      )}
    </Menu>
  );
}

/** Ends the session and shows the login page. */
async function signOut(): Promise<void> {
  await fetch('/api/v1/session', { method: 'DELETE' });
  leave.to('/api/v1/session');
}
