/** Every page with its address and what its address may hold. Pages are loaded when they are first opened, except the first one. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  stringifySearchWith,
} from '@tanstack/react-router';
import { readCalibrationSearch } from './calibration/search.ts';
import { readCompaniesSearch } from './companies/search.ts';
import { readCompareSearch } from './compare/search.ts';
import { DecksPage } from './decks/page.tsx';
import { readDecksSearch } from './decks/search.ts';
import { readReviewSearch } from './review/search.ts';
import { Frame } from './shell/frame.tsx';
import { BrokenPage, NotFound } from './shell/error-pages.tsx';
import { Loading } from './ui/states.tsx';

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: BrokenPage });

const decks = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readDecksSearch,
  component: DecksPage,
});

const review = createRoute({
  getParentRoute: () => root,
  path: '/decks/$deckId',
  validateSearch: readReviewSearch,
  component: lazyRouteComponent(() => import('./review/page.tsx'), 'ReviewPage'),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: readCompareSearch,
  component: lazyRouteComponent(() => import('./compare/page.tsx'), 'ComparePage'),
});

const portfolio = createRoute({
  getParentRoute: () => root,
  path: '/portfolio',
  validateSearch: readDecksSearch,
  component: lazyRouteComponent(() => import('./portfolio/page.tsx'), 'PortfolioPage'),
});

const companies = createRoute({
  getParentRoute: () => root,
  path: '/companies',
  validateSearch: readCompaniesSearch,
  component: lazyRouteComponent(() => import('./companies/list-page.tsx'), 'CompaniesPage'),
});

const company = createRoute({
  getParentRoute: () => root,
  path: '/companies/$companyId',
  component: lazyRouteComponent(() => import('./companies/page.tsx'), 'CompanyPage'),
});

const calibration = createRoute({
  getParentRoute: () => root,
  path: '/calibration',
  validateSearch: readCalibrationSearch,
  component: lazyRouteComponent(() => import('./calibration/page.tsx'), 'CalibrationPage'),
});

const tree = root.addChildren([decks, review, compare, portfolio, companies, company, calibration]);

/** Makes the router. */
export const createAppRouter = () =>
  createRouter({
    routeTree: tree,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: BrokenPage,
    scrollRestoration: true,
    // Words stand in an address as they are, without quotes, also where they look like a number; the readers of searches take both.
    stringifySearch: stringifySearchWith(JSON.stringify),
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
