/** Costs and stored reports over the API: what operators and analysts see, in which forms, and that no one sees another tenant's. */
import { fleetConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeCostReport } from '../../../activities/costs/report/make.ts';
import { storeReport } from '../../../activities/costs/report/store.ts';
import type { CostForecastDocument, CostReportPage, CostsDocument } from '../../../api/client.ts';
import { INSTALLATION_SCOPE } from '../../../domain/costs/report/document.ts';
import { parsePeriod } from '../../../domain/costs/report/period.ts';
import { ensureSchedules } from '../../../workers/control/schedules/ensure.ts';
import { scheduleTable } from '../../../workers/control/schedules/table.ts';
import { writeMadeUpLedger } from '../../../testing/costs/ledger-rows.ts';
import { rawLedger, recomputed, sumsBy, type RawEntry } from '../../../testing/costs/recomputed.ts';
import { sumsOfReport } from '../../../testing/costs/report-sums.ts';
import { until } from '../../../testing/until.ts';
import { aDeck, TENANT } from '../../../testing/make.ts';
import { OTHER_TENANT, problem, startTestApi } from './support.ts';
import { perFile } from '../../../testing/per-file.ts';

const FROM = Date.UTC(2026, 9, 1);
const UNTIL = Date.UTC(2026, 9, 11);
const RANGE = 'from=2026-10-01&to=2026-10-10';

let raw: RawEntry[];
/** Headers of an analyst of the other tenant. */
let analyst: { readonly authorization: string };
/** Ids of the stored reports by scope. */
const reports = new Map<string, string>();

const api = perFile(startTestApi);
beforeAll(async () => {
  await writeMadeUpLedger(api.db, {
    seed: 51,
    fromMs: FROM,
    untilMs: UNTIL,
    entries: 4000,
    tenants: [TENANT, OTHER_TENANT],
  });
  raw = await rawLedger(api.db);
  analyst = await api.keyOf({ tenant: OTHER_TENANT });
  for (const tenantId of [TENANT, OTHER_TENANT]) {
    await aDeck(api.db, { id: `deck-${tenantId}-3`, tenantId, fileName: `secret of ${tenantId}.pdf` });
  }
  const now = Date.UTC(2026, 10, 1);
  const period = parsePeriod('2026-10-05', 'UTC', now);
  for (const scope of [INSTALLATION_SCOPE, TENANT, OTHER_TENANT]) {
    reports.set(scope, await storeReport(api.db, await makeCostReport(api.db, period, scope, now), { tell: false }));
  }
});

const costs = async (query: string, headers?: Record<string, string>): Promise<CostsDocument> => {
  const answer = await api.call('GET', `/costs?${query}`, headers === undefined ? {} : { headers });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as CostsDocument;
};
const byKey = ({ items }: CostsDocument): Record<string, string> =>
  Object.fromEntries(items.flatMap(({ key, usd }) => (key === null ? [] : [[key, usd.replace(/\.?0+$/u, '')]])));
const total = (rows: readonly RawEntry[]): unknown => recomputed(rows, 'UTC')['totalUsd'];
const exact = (usd: string): string => (usd.includes('.') ? usd.replace(/\.?0+$/u, '') : usd);

it('GET /costs an operator sees everything, by day, task, document, analysis and tenant, to the ninth place', async () => {
  const keys: Record<CostsDocument['by'], (row: RawEntry) => string | null> = {
    day: (row) => new Date(row.atMs).toISOString().slice(0, 10),
    task: (row) => row.task,
    document: (row) => row.deckId,
    analysis: (row) => row.analysisId,
    tenant: (row) => row.tenantId,
  };
  for (const [by, keyOf] of Object.entries(keys)) {
    const found = await costs(`${RANGE}&by=${by}`);
    expect(byKey(found), by).toEqual(sumsBy(raw, keyOf));
    expect(exact(found.totalUsd), by).toBe(total(raw));
    expect(found).toMatchObject({ by, scope: '*', timezone: 'UTC', currency: 'USD', more: 0 });
  }
  const days = await costs(RANGE);
  expect(days.items.map(({ key }) => key)).toEqual(
    Array.from({ length: 10 }, (_, i) => `2026-10-${String(i + 1).padStart(2, '0')}`),
  );
});

it('GET /costs names decks of the own tenant only', async () => {
  const names = (await costs(`${RANGE}&by=document`)).items.flatMap(({ name }) => (name === null ? [] : [name]));
  expect(names).toEqual([`secret of ${TENANT}.pdf`]);
  const theirs = (await costs(`${RANGE}&by=document`, analyst)).items;
  expect(theirs.flatMap(({ name }) => (name === null ? [] : [name]))).toEqual([`secret of ${OTHER_TENANT}.pdf`]);
});

it('GET /costs an analyst sees what is the own tenant’s, and no other', async () => {
  const own = raw.filter((row) => row.tenantId === OTHER_TENANT);
  for (const by of ['day', 'task', 'document', 'analysis', 'tenant']) {
    const found = await costs(`${RANGE}&by=${by}`, analyst);
    expect(exact(found.totalUsd), by).toBe(total(own));
    expect(JSON.stringify(found), by).not.toContain(`"${TENANT}"`);
    expect(JSON.stringify(found), by).not.toContain(`deck-${TENANT}-`);
  }
  expect(await api.call('GET', `/costs?${RANGE}&tenant=${TENANT}`, { headers: analyst })).toMatchObject(
    problem(403, 'forbidden'),
  );
  expect((await costs(`${RANGE}&tenant=${OTHER_TENANT}`)).totalUsd).toBe((await costs(RANGE, analyst)).totalUsd);
});

it('GET /costs leaves out the cheaper lines and says what they come to', async () => {
  const all = await costs(`${RANGE}&by=document`);
  const few = await costs(`${RANGE}&by=document&limit=3`);
  expect(few.items).toEqual(all.items.slice(0, 3));
  expect(few.more).toBe(all.items.length - 3);
  const shown = few.items.reduce((sum, { usd }) => sum + Number(usd), 0);
  expect(shown + Number(few.moreUsd)).toBeCloseTo(Number(all.totalUsd), 9);
});

it('GET /costs is a table for spreadsheets, and a page that loads nothing from elsewhere', async () => {
  const table = await api.call('GET', `/costs?${RANGE}&by=tenant&format=csv`);
  expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  // A program that reads columns by their names finds each once.
  expect(String(table.body).split('\r\n')[0]).toMatch(/^tenant,name,usd,hours,boot_usd,/u);
  const documents = String((await api.call('GET', `/costs?${RANGE}&by=document&format=csv`)).body);
  expect(documents.split('\r\n')[0]).toMatch(/^document,name,tenant,usd,hours,boot_usd,/u);
  for (const text of [String(table.body), documents]) {
    const widths = text
      .trim()
      .split('\r\n')
      .map((line) => line.split(',').length);
    expect(new Set(widths).size).toBe(1);
  }
  const page = await api.call('GET', `/costs?${RANGE}&format=html`);
  expect(page.body).toContain('<svg class="days"');
  expect(page.body).toContain(`/api/v1/costs/reports/${reports.get('*')}?format=html`);
  const theirs = String((await api.call('GET', `/costs?${RANGE}&format=html`, { headers: analyst })).body);
  expect(theirs).toContain(`tenant ${OTHER_TENANT}`);
  expect(theirs).not.toContain(`deck-${TENANT}-`);
});

it('GET /costs names what is no day, and an unknown tenant', async () => {
  expect(await api.call('GET', '/costs?to=someday')).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('to: "someday" is no day') as string },
  });
  for (const query of ['/costs?tenant=unknown', '/costs/reports?tenant=unknown']) {
    expect(await api.call('GET', query), query).toMatchObject(problem(404, 'not_found'));
  }
});

it.each([
  'from=yesterday',
  'from=2026-10-10&to=2026-10-01',
  'from=2099-01-01&to=2099-01-02',
  'from=0000-01-01&to=0000-01-31&format=html',
  'by=slide',
  'limit=0',
])('GET /costs 400: %s', async (query) => {
  expect(await api.call('GET', `/costs?${query}`)).toMatchObject(problem(400, 'invalid_request'));
});

it('GET /costs/forecast says what the coming days may bring, to operators', async () => {
  const answer = await api.call('GET', '/costs/forecast?days=3');
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const forecast = answer.body as CostForecastDocument;
  expect(forecast).toMatchObject({ timezone: 'UTC', month: { softUsd: null, hardUsd: null }, prewarm: [] });
  expect(forecast.days).toHaveLength(3);
  const [first] = forecast.days;
  expect(first?.usd.low).toBeLessThanOrEqual(first?.usd.mean ?? -1);
  expect(first?.usd.high).toBeGreaterThanOrEqual(first?.usd.mean ?? Infinity);
  const sum = forecast.days.reduce((total, { usd }) => total + usd.mean, 0);
  expect(forecast.total?.usd.mean).toBeCloseTo(sum);
  for (const days of ['0', '32', 'seven'])
    expect((await api.call('GET', `/costs/forecast?days=${days}`)).status, days).toBe(400);
});

const get = (scope: string, format: string, headers?: Record<string, string>) =>
  api.call('GET', `/costs/reports/${reports.get(scope)}?format=${format}`, headers === undefined ? {} : { headers });

it('stored reports are given in four forms, and say what the rows say', async () => {
  const own = raw.filter(({ atMs }) => atMs >= Date.UTC(2026, 9, 5) && atMs < Date.UTC(2026, 9, 6));
  const report = await api.client.GET('/costs/reports/{id}', { params: { path: { id: reports.get('*') ?? '' } } });
  expect(sumsOfReport(report)).toEqual(recomputed(own, 'UTC'));
  for (const [format, type] of [
    ['md', 'text/markdown'],
    ['csv', 'text/csv'],
    ['html', 'text/html'],
  ] as const) {
    const answer = await get('*', format);
    expect(answer.headers.get('content-type'), format).toContain(type);
    expect(answer.body, format).toContain('2026-10-05');
  }
  const accepted = await api.call('GET', `/costs/reports/${reports.get('*')}`, { headers: { accept: 'text/csv' } });
  expect(accepted.headers.get('content-type')).toContain('text/csv');
});

it('stored reports of another tenant, or of the installation, an analyst does not find', async () => {
  for (const format of ['json', 'md', 'html', 'csv']) {
    expect((await get('*', format, analyst)).status).toBe(404);
    expect((await get(TENANT, format, analyst)).status).toBe(404);
    expect((await get(OTHER_TENANT, format, analyst)).status).toBe(200);
  }
  const listed = (await api.call('GET', '/costs/reports', { headers: analyst })).body as CostReportPage;
  expect(listed.items.map(({ id }) => id)).toEqual([reports.get(OTHER_TENANT)]);
  expect((await api.call('GET', `/costs/reports?tenant=${TENANT}`, { headers: analyst })).status).toBe(403);
});

it('stored reports are listed by kind, period and tenant, newest first', async () => {
  const list = async (query: string): Promise<(string | undefined)[]> =>
    ((await api.call('GET', `/costs/reports?${query}`)).body as CostReportPage).items.map(({ scope }) => scope);
  expect(await list('')).toEqual(['*']);
  expect(await list(`tenant=${TENANT}&kind=daily&period=2026-10-05`)).toEqual([TENANT]);
  expect([await list('kind=weekly'), await list('period=2026-10-06')]).toEqual([[], []]);
});

it('stored reports are found again when they are asked for, without being made again', async () => {
  const answer = await api.post('/costs/reports', { period: '2026-10-05' });
  expect(answer).toMatchObject({ status: 200, body: { id: reports.get('*'), complete: true, kind: 'daily' } });
  expect(await api.post('/costs/reports', { period: 'someday' })).toMatchObject({
    status: 400,
    body: { hint: expect.stringContaining('2026-W13') as string },
  });
});

it('stored reports keep what was read of the ledger last, whichever of two runs stores first', async () => {
  const now = Date.UTC(2026, 10, 1);
  const report = await makeCostReport(api.db, parsePeriod('2026-10-06', 'UTC', now), INSTALLATION_SCOPE, now);
  const storeAs = (totalUsd: string, minutesFromNow: number): Promise<string> => {
    const madeAt = new Date(Date.now() + minutesFromNow * 60_000).toISOString();
    return storeReport(api.db, { ...report, totalUsd, madeAt }, { tell: false });
  };
  const id = await storeAs('2', -2);
  const stored = async (): Promise<string> =>
    (await api.client.GET('/costs/reports/{id}', { params: { path: { id } } })).totalUsd;
  expect(await storeAs('1', -3)).toBe(id);
  expect(await stored()).toBe('2');
  await storeAs('3', -1);
  expect(await stored()).toBe('3');
  // Scenario 51: one that was made while the clock was ahead keeps nothing from being made again.
  await storeAs('4', 60);
  await storeAs('5', 0);
  expect(await stored()).toBe('5');
  await api.db.costReport.delete({ where: { id } });
});

it('stored reports 404: no such report, no such schedule', async () => {
  expect((await api.call('GET', '/costs/reports/none')).status).toBe(404);
  expect((await api.post('/schedules/none/trigger')).status).toBe(404);
  expect((await api.post('/schedules/none/explode')).status).toBe(400);
});

describe('what is asked of schedules', () => {
  const DAILY = 'cost-report-daily';
  const runs = async (idPrefix: string): Promise<number> =>
    (await api.temporal.workflow.count(`WorkflowId STARTS_WITH '${idPrefix}'`)).count;

  beforeAll(async () => {
    // No worker serves what they start: it goes on for ever.
    const fleet = { ...fleetConfigSchema.parse({}), installationId: 'test' };
    await ensureSchedules(api.temporal, scheduleTable(fleet, Date.now()));
  });

  it('a round that is still going on is enough: another trigger starts none beside it', async () => {
    await api.client.POST('/schedules/{id}/{request}', { params: { path: { id: 'alerts', request: 'trigger' } } });
    await until(() => runs('alerts/round')).is(1);
    await api.client.POST('/schedules/{id}/{request}', { params: { path: { id: 'alerts', request: 'trigger' } } });
    await until(async () => (await api.client.GET('/schedules')).items.find(({ id }) => id === 'alerts')).is(
      (found) => (found?.skipped ?? 0) > 0,
    );
    expect(await runs('alerts/round')).toBe(1);
  });

  it('what was due on some days is made up for, each time by a run of its own', async () => {
    const before = await runs('cost-report/daily');
    const answer = await api.post(`/schedules/${DAILY}/backfill`, { from: '2026-03-28', to: '2026-03-30' });
    expect(answer).toMatchObject({ status: 200, body: { id: DAILY } });
    await until(() => runs('cost-report/daily')).is(before + 3);
  });

  it('what was due at midnight is made up for too, by the first instant of its day', async () => {
    const fleet = { ...fleetConfigSchema.parse({ accounting: { reportHour: 0 } }), installationId: 'test' };
    await ensureSchedules(api.temporal, scheduleTable(fleet, Date.now()));
    const before = await runs('cost-report/daily');
    const day = { from: '2026-04-02', to: '2026-04-02' };
    expect(await api.post(`/schedules/${DAILY}/backfill`, day)).toMatchObject({ status: 200 });
    await until(() => runs('cost-report/daily')).is(before + 1);
  });

  it.each([
    ['alerts', { from: '2026-03-28', to: '2026-03-30' }, 400, 'nothing to backfill'],
    // A Tuesday.
    ['cost-report-weekly', { from: '2026-03-31', to: '2026-03-31' }, 400, 'due'],
    [DAILY, { from: '2026-03-30', to: '2026-03-28' }, 400, 'before'],
    [DAILY, { from: '2099-01-01', to: '2099-01-02' }, 400, 'begun'],
    [DAILY, { from: 'yesterday', to: '2026-03-28' }, 400, 'from'],
    ['none', { from: '2026-03-28', to: '2026-03-28' }, 404, 'schedule'],
  ])('backfill of %s with %j is refused', async (id, days, status, why) => {
    const answer = await api.post(`/schedules/${id}/backfill`, days);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(why);
  });
});

describe('deckhand costs', () => {
  const deckhand = (...args: string[]) => api.deckhand(args);
  const DAYS = ['--from', '2026-08-01', '--to', '2026-08-02', '--by', 'document'];

  beforeAll(() =>
    writeMadeUpLedger(api.db, {
      seed: 8,
      fromMs: Date.UTC(2026, 7, 1),
      untilMs: Date.UTC(2026, 7, 3),
      entries: 1500,
      tenants: ['a', 'b', 'c', 'd', 'e', 'f'],
    }),
  );

  it('deckhand costs draws the most expensive lines, and leaves none out of a table or a document', async () => {
    const [picture, table, document] = await Promise.all([
      deckhand('costs', ...DAYS),
      deckhand('costs', ...DAYS, '--csv'),
      deckhand('costs', ...DAYS, '--json'),
    ]);
    const { items, more } = JSON.parse(document.stdout) as CostsDocument;
    // Of each tenant eleven decks and the deleted ones, and what has no owner.
    expect([items.length, more]).toEqual([6 * 12 + 1, 0]);
    expect(table.stdout.trim().split('\r\n')).toHaveLength(1 + items.length);
    expect(picture.stdout).toContain(`… and ${items.length - 40} more`);
    expect(picture.stdout).toMatch(/deck-[a-f]-\d+ +[█▓▒░▚×?≡·▁]+ /u);
  });

  it('a report of a tenant is that tenant’s, in the form that is asked for', async () => {
    const own = await deckhand('costs', 'report', '--period', '2026-10-05', '--tenant', OTHER_TENANT, '--json');
    expect(JSON.parse(own.stdout)).toMatchObject({ scope: OTHER_TENANT, period: '2026-10-05' });
    const table = await deckhand('costs', 'report', '--period', '2026-10-05', '--csv');
    expect(table.stdout).toMatch(/^period,scope,section,/u);
    expect(await deckhand('costs', 'report', '--period', '2026-10-05')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('# Costs 2026-10-05') as string,
    });
  });

  it('deckhand costs forecast shows each day, all together, and the month', async () => {
    const [text, document] = await Promise.all([
      deckhand('costs', 'forecast', '--days', '2'),
      deckhand('costs', 'forecast', '--days', '2', '--json'),
    ]);
    const { days } = JSON.parse(document.stdout) as CostForecastDocument;
    for (const { day } of days) expect(text.stdout).toContain(day);
    expect(text.stdout).toMatch(/2 days together +[\d.]+ \([\d.]+ to [\d.]+\)/u);
    expect(text.stdout).toContain('there is no budget for a month');
  });

  it.each([
    [['costs', 'forecast', '--days', '32'], 2, '--days 32'],
    [['costs', 'forecast', '--by', 'task'], 2, '--by'],
    [['costs', 'report', '--period', '2026-10-05', '--tenant', 'unknown'], 4, 'tenant'],
    [['costs', 'report', '--period', 'someday'], 2, '"someday"'],
    [['costs', 'report', '--from', '2026-10-01', '--to', '2026-10-05'], 2, '--period 2026-11-01/2026-11-15'],
    [['costs', 'report', '--by', 'tenant'], 2, '--by'],
    [['costs', 'report', '--csv', '--format', 'html'], 2, 'csv or html'],
    [['costs', 'reports', '--csv'], 2, '--csv'],
    [['costs', '--from', 'someday'], 2, 'from: "someday"'],
    [['costs', '--json', '--csv'], 2, '--json'],
    [['costs', '--limit', 'all'], 2, '--limit all'],
    [['costs', 'report', '--period', '2026-10-05', '--out', '/no/such/folder/r.md'], 2, '/no/such/folder/r.md'],
    [['schedules', 'backfill', 'alerts', '--from', '2026-03-28'], 2, 'schedules trigger alerts'],
  ] as const)('deckhand costs %j is refused by name', async (args, code, why) => {
    const refused = await deckhand(...args);
    expect(refused.stderr).toContain(why);
    expect(refused).toMatchObject({ code, stdout: '' });
  });
});
