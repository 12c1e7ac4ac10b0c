/** What `deckhand doctor` says when alerts are not evaluated, against an API whose answers a test sets. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ScheduleDocument } from '../../../api/schedules/schemas.ts';
import { checkAlerts } from '../../../cli/doctor/running-api.ts';
import type { Check } from '../../../cli/doctor/check.ts';
import { loadConfig } from '../../../platform/config.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

const HOUR_MS = 3_600_000;

let home: string;
let server: Server;
let answers: Record<string, unknown>;
beforeEach(async () => {
  home = folderPerTest();
  answers = {};
  server = createServer((request, response) => {
    const answer = answers[(request.url ?? '').split('?')[0] ?? ''];
    response.writeHead(answer === undefined ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { code: 'service_unavailable', detail: 'Temporal does not answer.' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const EVERY_MINUTE = { everyMs: 60_000, timezone: 'UTC', nextTimes: [], recent: [], missed: 0, skipped: 0 };
const schedule = (id: string, paused: boolean, note: string | null): ScheduleDocument => ({
  id,
  what: id,
  paused,
  note,
  ...EVERY_MINUTE,
});

/** The check, when alerts were last looked for an hour ago. */
async function checkWith(schedules: readonly ScheduleDocument[] | undefined): Promise<Check | undefined> {
  const judgedAt = new Date(Date.now() - HOUR_MS).toISOString();
  answers['/api/v1/alerts'] = { items: [], nextCursor: null, open: 0, judgedAt };
  if (schedules !== undefined) answers['/api/v1/schedules'] = { items: schedules };
  const { port } = server.address() as AddressInfo;
  const place = { DECKHAND_HOME: home, DECKHAND_API_URL: `http://127.0.0.1:${port}`, DECKHAND_API_KEY: 'dh_o_test' };
  const [check] = await checkAlerts(loadConfig(place));
  return check;
}

it('a paused schedule is named, with who paused it and how it goes on', async () => {
  const check = await checkWith([schedule('reap', false, null), schedule('alerts', true, 'paused by ann')]);
  expect(check).toMatchObject({ name: 'alerts', status: 'note', found: expect.stringContaining('1 h') as unknown });
  expect(check?.hint).toContain('paused by ann');
  expect(check?.hint).toContain('deckhand schedules resume alerts');
  expect((await checkWith([schedule('alerts', true, null)]))?.hint).toContain('paused. ');
});

it('a schedule that goes on, that is not there or that cannot be asked is no pause', async () => {
  const goesOn = [schedule('alerts', false, 'resumed by ann'), schedule('reap', true, null)];
  for (const schedules of [goesOn, [], undefined]) {
    delete answers['/api/v1/schedules'];
    const check = await checkWith(schedules);
    expect(check).toMatchObject({ status: 'note', hint: expect.stringContaining('control process') as unknown });
    expect(check?.hint).not.toContain('paused');
  }
});
