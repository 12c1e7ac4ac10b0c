/** Alerts and their rules over the API: listed, followed, edited by operators, refused by name. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { AlertPage, AlertRuleDetails, AlertRuleDocument } from '../../../api/client.ts';
import { storeRound } from '../../../activities/alerts/store.ts';
import { TARGET_NAMES } from '../../../domain/metrics/targets.ts';
import type { Alert } from '../../../generated/prisma/client.ts';
import { ALERT_RULES } from '../../../prisma/seed/alert-rules.ts';
import { problem, startTestApi } from './support.ts';
import { perFile } from '../../../testing/per-file.ts';

const api = perFile(startTestApi);
beforeEach(async () => {
  await api.db.alert.deleteMany();
  await api.db.alertCondition.deleteMany();
});

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 21, 12, minute));
const alert = (subject: string, minute: number, values: Partial<Alert> = {}): Promise<Alert> =>
  api.db.alert.create({
    data: {
      id: randomUUID(),
      ruleId: 'backlog-age',
      title: 'T',
      advice: 'A',
      severity: 'warning',
      subject,
      message: `${subject} waits`,
      value: 700,
      raisedAt: at(minute),
      ...values,
    },
  });
const list = async (query = ''): Promise<AlertPage> => (await api.call('GET', `/alerts${query}`)).body as AlertPage;
const subjects = (page: AlertPage): string[] => page.items.map(({ subject }) => subject);

it('GET /alerts 200: open ones, newest first, and with `all` also those that are over', async () => {
  await alert('over', 1, { clearedAt: at(9) });
  await alert('first', 2);
  await alert('second', 3);
  expect(subjects(await list())).toEqual(['second', 'first']);
  const all = await list('?all=true');
  expect([subjects(all), all.open, all.judgedAt]).toEqual([['second', 'first', 'over'], 2, null]);
  expect(all.items[2]).toMatchObject({ clearedAt: at(9).toISOString(), currentValue: null });
});

it('GET /alerts pages, also over alerts of one moment', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) await alert(name, 1);
  const pages = await api.pages<AlertPage>('/alerts?limit=2');
  expect(pages.flatMap(subjects).toSorted()).toEqual(names);
  expect(await api.call('GET', '/alerts?cursor=nonsense')).toMatchObject({ status: 400 });
});

it('GET /alerts says how it is now, and when the rules were last judged', async () => {
  const read = (value: number) => [{ subject: 'gpu-visual', value, message: 'waits' }];
  await storeRound(api.db, 'backlog-age', read(700), at(0));
  await storeRound(api.db, 'backlog-age', read(760), at(1));
  await storeRound(api.db, 'backlog-age', read(820), at(2));
  const { items, judgedAt } = await list();
  expect(judgedAt).toBe(at(2).toISOString());
  expect(items).toMatchObject([
    { rule: 'backlog-age', value: 760, currentValue: 820, unit: 'seconds', raisedAt: at(1).toISOString() },
  ]);
  const id = items[0]?.id ?? '';
  expect(await api.call('GET', `/alerts/${id}`)).toMatchObject({ status: 200, body: items[0] });
  expect((await api.client.GET('/fleet')).openAlerts).toEqual({ info: 0, warning: 1, critical: 0 });
});

it('GET /alerts 200: as a page for a browser, with the targets, in which nothing of others is markup', async () => {
  await alert('first', 2, { message: 'It said <script>alert("x")</script> & ended', severity: 'critical' });
  await alert('over', 1, { clearedAt: at(9) });
  const get = (path: string, accept = '*/*') =>
    fetch(`${api.url}/api/v1${path}`, { headers: { ...api.authorization, accept } });
  const page = await get('/alerts', 'text/html,application/xhtml+xml,*/*;q=0.8');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
  const text = await page.text();
  expect(text.match(/<li>\s*<span class="mark /gu)).toHaveLength(1);
  expect(text).toContain('It said &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; ended');
  expect(text).not.toContain('<script');
  expect(text).not.toContain('over waits');
  expect(text.match(/<tr>/gu)).toHaveLength(1 + TARGET_NAMES.length);
  const other = /href="([^"]*all=true[^"]*)"/u.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const all = await fetch(`${api.url}${other}`, { headers: api.authorization });
  expect(await all.text()).toContain('over waits');
  expect(await (await get('/alerts?format=html&limit=1&all=true')).text()).toMatch(/href="[^"]*cursor=/u);
  // A client that does not ask for a page is a program.
  expect((await get('/alerts')).headers.get('content-type')).toBe('application/json');
});

it('GET /alerts 404: an alert that is none', async () => {
  expect(await api.call('GET', '/alerts/none')).toMatchObject(problem(404, 'not_found'));
});

const patch = (id: string, body: unknown) => api.json('PATCH', `/alert-rules/${id}`, body);

it('GET /alerts/rules 200: the rules of the seed, with what their metrics mean', async () => {
  const { items } = (await api.call('GET', '/alert-rules')).body as { items: AlertRuleDocument[] };
  expect(items.map(({ id }) => id)).toEqual(ALERT_RULES.map(({ id }) => id).toSorted());
  expect(items.every(({ description, edited }) => description !== null && !edited)).toBe(true);
  // A window is told only where there is one.
  const windowOf = (id: string) => items.find((rule) => rule.id === id)?.windowSec;
  expect([windowOf('call-failures'), windowOf('backlog-age')]).toEqual([3600, null]);
});

it('GET a rule 200: with what its last round read, by its subject', async () => {
  const readings = ['gpu-text', 'gpu-visual'].map((subject, index) => ({ subject, value: index * 700, message: '' }));
  await storeRound(api.db, 'backlog-age', readings, at(0));
  const rule = (await api.call('GET', '/alert-rules/backlog-age')).body as AlertRuleDetails;
  expect(rule.readings).toEqual([
    { subject: 'gpu-text', value: 0, beyondSince: null, alertId: null, readAt: at(0).toISOString() },
    {
      subject: 'gpu-visual',
      value: 700,
      beyondSince: at(0).toISOString(),
      alertId: null,
      readAt: at(0).toISOString(),
    },
  ]);
  expect(await api.call('GET', '/alert-rules/none')).toMatchObject({ status: 404 });
});

it('PATCH a rule 200: a change counts from the next round, and waits begin anew', async () => {
  const waits = [{ subject: 'gpu-visual', value: 700, message: 'waits' }];
  await storeRound(api.db, 'backlog-age', waits, at(0));
  expect(await patch('backlog-age', { raiseAt: 650, raiseForSec: 120 })).toMatchObject({
    status: 200,
    body: { raiseAt: 650, raiseForSec: 120, edited: true, readings: [{ beyondSince: null }] },
  });
  await storeRound(api.db, 'backlog-age', waits, at(2));
  expect(subjects(await list())).toEqual([]);
  await storeRound(api.db, 'backlog-age', waits, at(4));
  expect(subjects(await list())).toEqual(['gpu-visual']);
  expect(await patch('backlog-age', { enabled: false })).toMatchObject({ status: 200, body: { openAlerts: 1 } });
  await storeRound(api.db, 'backlog-age', waits, at(5));
  expect(subjects(await list())).toEqual([]);
});

it('PATCH a rule 400: what does not fit together or is not known is refused by name, and nothing is changed', async () => {
  const before = await api.db.alertRule.findUniqueOrThrow({ where: { id: 'stuck-boot' } });
  for (const [body, says] of [
    [{ clearAt: 5000 }, /clearAt.*\b5000\b.*\b1200\b/u],
    [{ comparison: 'below', clearAt: 1 }, /clearAt.*\b1\b.*\b1200\b/u],
    [{ raiseForSec: -1 }, /raiseForSec/u],
    [{ severity: 'dire' }, /severity/u],
    [{ metric: 'call_failure_ratio' }, /metric/u],
    [{ raiseAt: 'much' }, /raiseAt/u],
  ] as const) {
    const answer = await patch('stuck-boot', body);
    expect(answer, JSON.stringify(body)).toMatchObject(problem(400, 'invalid_request'));
    expect((answer.body as { detail: string }).detail).toMatch(says);
  }
  expect(await patch('none', { enabled: false })).toMatchObject({ status: 404 });
  expect(await api.db.alertRule.findUniqueOrThrow({ where: { id: 'stuck-boot' } })).toEqual(before);
});

it('201: a rule of the operator’s own beside another on the same metric; 409 and 400 by name', async () => {
  const rule = { id: 'budget-half', metric: 'budget_ratio', title: 'Half a budget is used', raiseAt: 0.5 };
  expect(await api.post('/alert-rules', rule)).toMatchObject({
    status: 201,
    body: { id: 'budget-half', comparison: 'above', clearAt: 0.5, severity: 'warning', edited: true, enabled: true },
  });
  expect(await api.post('/alert-rules', rule)).toMatchObject(problem(409, 'conflict'));
  for (const wrong of [{ metric: 'moon_phase' }, { metric: 'operator_told' }, { id: 'No Name' }, { clearAt: 0.9 }]) {
    const answer = await api.post('/alert-rules', { ...rule, id: 'another', ...wrong });
    expect(answer, JSON.stringify(wrong)).toMatchObject({ status: 400 });
    expect((answer.body as { detail: string }).detail).toContain(Object.keys(wrong)[0] ?? '');
  }
});
