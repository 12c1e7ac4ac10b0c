/**
 * Alerts from a condition to their notification: rounds by schedule, one alert, one signed notification for each of its two events, also when
 * the control process is killed in between.
 */
import pg from 'pg';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { NewWebhookDocument } from '../../api/client.ts';
import type { WebhookDelivery } from '../../generated/prisma/client.ts';
import { ALERT_SCHEDULE_ID } from '../../contracts/alerts.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { startWebhookReceiver, verified } from '../../testing/webhook-receiver.ts';
import { perFile } from '../../testing/per-file.ts';
import { aReapCandidate } from '../../testing/make.ts';

let webhook: NewWebhookDocument;
const receiver = perFile(startWebhookReceiver);
const rig = rigPerFile({
  fleet: { alerts: { intervalMs: 1000 } },
  environment: { DECKHAND_LOST_WORKER_SEC: '3' },
});
beforeAll(async () => {
  webhook = await rig.client.POST('/webhooks', {
    body: { url: receiver.url, events: ['alert.raised', 'alert.cleared'] },
  });
});
afterEach(() => {
  receiver.received.length = 0;
});

/** Something at a provider without an owner, as the reaper remembers it. */
const appears = (resourceId: string): Promise<unknown> =>
  aReapCandidate(rig.db, { resourceId, name: `dh-rig1-${resourceId}`, firstSeenAt: new Date() });
const goes = (resourceId: string): Promise<unknown> => rig.db.reapCandidate.delete({ where: { id: resourceId } });
const subjectOf = (resourceId: string): string => `datacrunch/instance/${resourceId}`;

/** Waits until both events of an alert, or the first one, are delivered. */
const delivered = (resourceId: string, count: number): Promise<WebhookDelivery[]> =>
  until(() => rig.db.webhookDelivery.findMany({ where: { alert: { subject: subjectOf(resourceId) } } })).is(
    (rows) => rows.length === count && rows.every(({ state }) => state === 'delivered'),
  );
const read = (request: (typeof receiver.received)[number]) => verified(request, webhook.secret ?? '');
/** Requests about one resource; the machine may raise alerts of its own, such as a full disk. */
const requestsOf = (resourceId: string) =>
  receiver.received.filter((request) => {
    const { data } = read(request);
    return 'subject' in data && data.subject === subjectOf(resourceId);
  });
const told = () => requestsOf('m-1').map(read);
const openOnes = async (): Promise<string[]> => (await rig.client.GET('/alerts')).items.map(({ subject }) => subject);
/** Rounds that the schedule has begun so far. */
const roundsBegun = async (): Promise<number> =>
  (await rig.temporal.schedule.getHandle(ALERT_SCHEDULE_ID).describe()).info.numActionsTaken;
const roundsMore = async (count: number): Promise<unknown> => {
  const begun = await roundsBegun();
  return until(roundsBegun).is((now) => now >= begun + count);
};

it('a condition is one alert and one notification for as long as it lasts, and another one when it is over', async () => {
  await appears('m-1');
  await delivered('m-1', 1);
  await roundsMore(3);
  const { items, judgedAt } = await rig.client.GET('/alerts');
  const [alert] = items.filter(({ subject }) => subject === subjectOf('m-1'));
  expect(alert).toMatchObject({ rule: 'orphan-found', severity: 'warning', clearedAt: null });
  expect(judgedAt).not.toBeNull();
  expect((await rig.client.GET('/fleet')).openAlerts.warning).toBeGreaterThan(0);
  expect(told()).toMatchObject([
    {
      type: 'alert.raised',
      data: { alertId: alert?.id, rule: 'orphan-found', subject: subjectOf('m-1'), clearedAt: null },
    },
  ]);

  await goes('m-1');
  await delivered('m-1', 2);
  expect(await openOnes()).not.toContain(subjectOf('m-1'));
  const over = await rig.client.GET('/alerts/{id}', { params: { path: { id: alert?.id ?? '' } } });
  expect(told().map(({ type }) => type)).toEqual(['alert.raised', 'alert.cleared']);
  expect(told()[1]).toMatchObject({ data: { alertId: alert?.id, clearedAt: over.clearedAt } });
  // Another secret, and it is not ours.
  const [request] = requestsOf('m-1');
  if (request === undefined) throw new Error('nothing arrived');
  expect(() => verified(request, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toThrow();
});

it('a control process that is killed when an alert is written costs no notification and makes none twice', async () => {
  const listener = new pg.Client({ connectionString: rig.runtime.databaseUrl });
  await listener.connect();
  try {
    await listener.query(`
      CREATE FUNCTION tell_of_alert() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_notify('alert_written', TG_OP); RETURN NULL; END $$;
      CREATE TRIGGER tell_of_alert AFTER INSERT OR UPDATE ON "Alert" FOR EACH ROW EXECUTE FUNCTION tell_of_alert();
      LISTEN alert_written`);
    const killed: (string | undefined)[] = [];
    let pid = await rig.pidOf('control');
    // Notified when the transaction is there, which is before anything can be sent.
    listener.on('notification', ({ payload }) => {
      if (killed.includes(payload)) return;
      killed.push(payload);
      process.kill(pid, 'SIGKILL');
    });
    const nextControl = async (): Promise<void> => {
      pid = await until(() => rig.pidOf('control').catch(() => pid)).is((found) => found !== pid);
    };
    await appears('m-2');
    await until(() => killed).is((events) => events.includes('INSERT'));
    await nextControl();
    await delivered('m-2', 1);
    await goes('m-2');
    await until(() => killed).is((events) => events.includes('UPDATE'));
    await nextControl();
    const rows = await delivered('m-2', 2);

    expect(killed).toEqual(['INSERT', 'UPDATE']);
    expect(rows.map(({ event }) => event).toSorted()).toEqual(['alert.cleared', 'alert.raised']);
    // What was told of it has one id for each event, whatever was tried.
    const ids = new Set(requestsOf('m-2').map(({ headers }) => String(headers['webhook-id'])));
    expect([...ids].toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    expect(await rig.db.alert.count({ where: { subject: subjectOf('m-2') } })).toBe(1);
  } finally {
    await listener.end();
  }
});
