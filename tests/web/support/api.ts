/**
 * The API as the workspace sees it, answered by a test: routes with the types of their documents, by path templates. It stands at the other end
 * of `fetch` and XMLHttpRequest, so that web/request.ts and the uploads run as they are. A request that no route answers fails the test.
 */
import { BatchInterceptor } from '@mswjs/interceptors';
import { FetchInterceptor } from '@mswjs/interceptors/fetch';
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { CalibrationDocument } from '../../../api/calibration/schemas.ts';
import type { CompanyDetails, CompanyDocument, CompanyPage } from '../../../api/companies/schemas.ts';
import type { CostsDocument } from '../../../api/costs/schemas.ts';
import type { AnalysisStatusDocument, AnalysisSummary } from '../../../api/decks/analyses/schemas.ts';
import type { SlideListDocument, SlideWordsDocument } from '../../../api/decks/files/schemas.ts';
import type { DeckDocument } from '../../../api/decks/schemas.ts';
import type { SessionDocument } from '../../../api/session/schemas.ts';
import type { Comparison } from '../../../domain/decks/compare/comparison.ts';
import type { DeckEntry, DeckEntryPage } from '../../../domain/decks/list/entry.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import type { HumanVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import type { Facets, Sample, SavedView } from '../../../web/decks/queries.ts';
import type { Portfolio } from '../../../web/portfolio/figures.ts';

interface Items<T> {
  readonly items: readonly T[];
}

/** Document of each route that the workspace asks. null = an answer without content. */
export interface Documents {
  'GET /session': SessionDocument;
  'DELETE /session': null;
  'GET /health': object;
  'GET /decks': DeckEntryPage;
  'POST /decks': DeckDocument;
  'GET /decks/facets': Facets;
  'GET /decks/portfolio': Portfolio;
  'GET /decks/:deck': DeckEntry;
  'DELETE /decks/:deck': object;
  'GET /decks/:deck/slides': SlideListDocument;
  'GET /decks/:deck/slides/:slide/words': SlideWordsDocument;
  'GET /decks/:deck/verdicts': Items<HumanVerdict>;
  'POST /decks/:deck/verdicts': HumanVerdict;
  'POST /decks/:deck/analyses': object;
  'PUT /decks/:deck/company': CompanyDocument;
  'GET /analyses': Items<AnalysisSummary>;
  'GET /analyses/:analysis': Pick<AnalysisStatusDocument, 'progress' | 'sends'>;
  'GET /analyses/:analysis/report': AnalysisReport;
  'GET /analyses/:a/compare/:b': Comparison;
  'POST /analyses/:analysis/replay': object;
  'POST /analyses/:analysis/cancel': object | null;
  'POST /analyses/:analysis/priority': object | null;
  'GET /costs': CostsDocument;
  'GET /people': Items<{ readonly name: string }>;
  'GET /views': Items<SavedView>;
  'POST /views': SavedView;
  'DELETE /views/:view': null;
  'GET /samples': Items<Sample>;
  'GET /samples/:sample': Blob;
  'GET /companies': CompanyPage;
  'GET /companies/:company': CompanyDetails;
  'PATCH /companies/:company': CompanyDocument;
  'POST /companies/:company/merge': CompanyDocument;
  'GET /calibration': CalibrationDocument;
}

export type Route = keyof Documents;

/** A request as a test looks at it. */
export interface ApiCall {
  readonly route: Route;
  /** Values of the path: `{ deck: 'd1' }`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON body, or the form; null where there was none. */
  readonly body: unknown;
}

/** What a route answers: its document, a refusal by {@link problem}, or what a function makes of the request. */
export type Answer<R extends Route> =
  | Documents[R]
  | Response
  | ((call: ApiCall) => Documents[R] | Response | Promise<Documents[R] | Response>);

export type Answers = { readonly [R in Route]?: Answer<R> };

const PREFIX = '/api/v1';

/** A refusal as the API writes it. */
export const problem = (status: number, code: string, detail: string, hint?: string): Response =>
  Response.json({ code, detail, ...(hint === undefined ? {} : { hint }) }, { status });

/** Nothing answers, as without a network. */
export const offline = (): Response => Response.error();

let answers: Answers = {};
let calls: ApiCall[] = [];
let unanswered: string[] = [];

/** Sets answers; those of other routes stay. Call it again in a test to change what a route answers from then on. */
export function answerApi(more: Answers): void {
  answers = { ...answers, ...more };
}

/** The requests to a route so far, oldest first. */
export const callsOf = (route: Route): readonly ApiCall[] => calls.filter((call) => call.route === route);

/** Forgets answers and requests. */
export function clearCalls(): void {
  answers = {};
  calls = [];
  unanswered = [];
}

/** The answered route of a request; of two that fit, the one with fewer names in its path. */
function routeOf(method: string, path: string): { route: Route; params: Record<string, string> } | null {
  const segments = path.split('/');
  const fitting = (Object.keys(answers) as Route[]).flatMap((route) => {
    const [verb, template = ''] = route.split(' ');
    const names = template.split('/');
    if (verb !== method || names.length !== segments.length) return [];
    const params: Record<string, string> = {};
    for (const [index, name] of names.entries()) {
      const segment = decodeURIComponent(segments[index] ?? '');
      if (name.startsWith(':')) params[name.slice(1)] = segment;
      else if (name !== segment) return [];
    }
    return [{ route, params }];
  });
  return fitting.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0] ?? null;
}

const PART =
  /name="(?<name>[^"]*)"(?:; filename="(?<file>[^"]*)")?\r\n(?:Content-Type: .*\r\n)?\r\n(?<body>[^]*?)\r\n--/gu;

/** Reads a form. By itself: Node's fetch makes files of its own kind, where jsdom has another. */
function formOf(text: string): FormData {
  const form = new FormData();
  for (const { groups: { name = '', file, body = '' } = {} } of text.matchAll(PART))
    form.append(name, file === undefined ? body : new File([body], file));
  return form;
}

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (type.includes('application/json')) return request.json();
  return type.includes('multipart/form-data') ? formOf(await request.text()) : null;
}

async function respond(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const found = pathname.startsWith(PREFIX) ? routeOf(request.method, pathname.slice(PREFIX.length)) : null;
  if (found === null) {
    unanswered.push(`${request.method} ${pathname}`);
    return problem(501, 'internal', `this test answers no ${request.method} ${pathname}`);
  }
  const call: ApiCall = { ...found, query: Object.fromEntries(searchParams), body: await bodyOf(request) };
  calls.push(call);
  const answer = answers[call.route];
  const made: unknown = await Promise.resolve(answer instanceof Function ? answer(call) : answer);
  if (made instanceof Response) return made.type === 'error' ? made : made.clone();
  if (made === null) return new Response(null, { status: 204 });
  return made instanceof Blob ? new Response(made) : Response.json(made);
}

const interceptor = new BatchInterceptor({
  name: 'api',
  interceptors: [new FetchInterceptor(), new XMLHttpRequestInterceptor()],
});
// The interceptor waits for what a listener returns, though its type does not say so.
const listen = interceptor.on.bind(interceptor) as (
  event: 'request',
  listener: (given: { request: Request; controller: { respondWith(response: Response): void } }) => Promise<void>,
) => unknown;
listen('request', async ({ request, controller }) => controller.respondWith(await respond(request)));
beforeAll(() => interceptor.apply());
afterAll(() => interceptor.dispose());
afterEach(() => expect(unanswered).toEqual([]));
