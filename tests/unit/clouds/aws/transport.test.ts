/**
 * Calls of AWS where it differs from other providers: how they are written, which answers are none, its rate limits and lists. The rest is in ../transport.test.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMemoryRateLimit } from '../../../../clouds/call-rate-limit.ts';
import { flatten, query, queryAll, readJson } from '../../../../clouds/aws/http/query.ts';
import type { AwsTransport } from '../../../../clouds/aws/http/transport.ts';
import { requiredList } from '../../../../clouds/aws/http/xml.ts';
import { forAll } from '../../../../testing/property.ts';
import { codeOf, failureOf, virtualClock } from '../scripted-api.ts';
import { answerOf, refusal, scriptedAws, TOKEN, transportOf, type AwsAnswer } from './scripted-aws.ts';

const zones = z.object({ availabilityZoneInfo: requiredList(z.object({ zoneName: z.string() })) });
const ZONES = answerOf(
  'DescribeAvailabilityZones',
  '<availabilityZoneInfo><item><zoneName>eu-west-1a</zoneName></item></availabilityZoneInfo>',
);
const readZones = (http: AwsTransport) =>
  query(http, { kind: 'read', region: 'eu-west-1', action: 'DescribeAvailabilityZones' }, zones);
const run = (http: AwsTransport) =>
  query(
    http,
    { kind: 'create', region: 'eu-west-1', action: 'RunInstances' },
    z.object({ instancesSet: requiredList(z.unknown()) }),
  );
const MADE = answerOf('RunInstances', '<instancesSet><item><instanceId>i-1</instanceId></item></instancesSet>');

describe('a call to AWS', () => {
  it('is a signed form that names its service and region in the signature', async () => {
    const api = await scriptedAws({ DescribeAvailabilityZones: () => ZONES });
    await readZones(transportOf(api));
    const [call] = api.seen;
    expect(call?.form).toEqual({ Action: 'DescribeAvailabilityZones', Version: '2016-11-15' });
    expect([call?.service, call?.region]).toEqual(['ec2', 'eu-west-1']);
    expect(call?.headers['x-amz-security-token']).toBe(TOKEN);
    expect(call?.headers['user-agent']).toMatch(/^deckhand\//u);
  });

  it('goes to the host of its service and region where no address is set', async () => {
    const hosts: string[] = [];
    const http = transportOf({ baseUrl: null }, virtualClock(), {
      fetch: (url) => {
        hosts.push(url);
        return Promise.resolve(new Response(url.includes('pricing') ? '{}' : ZONES));
      },
    });
    await readZones(http);
    const price = {
      service: 'pricing',
      target: 'AWSPriceListService',
      region: 'us-east-1',
      action: 'GetProducts',
      json: {},
    } as const;
    await readJson(http, price, z.unknown());
    expect(hosts).toEqual(['https://ec2.eu-west-1.amazonaws.com/', 'https://api.pricing.us-east-1.amazonaws.com/']);
  });

  it('writes lists and objects flat and counts from 1', () => {
    expect(
      flatten({
        MinCount: 1,
        InstanceId: ['a', 'b'],
        Filter: [{ Name: 'n', Value: ['x', 'y'] }],
        Placement: { AvailabilityZone: 'z' },
        KeyName: undefined,
        DryRun: false,
      }),
    ).toEqual({
      MinCount: '1',
      'InstanceId.1': 'a',
      'InstanceId.2': 'b',
      'Filter.1.Name': 'n',
      'Filter.1.Value.1': 'x',
      'Filter.1.Value.2': 'y',
      'Placement.AvailabilityZone': 'z',
      DryRun: 'false',
    });
  });

  it('waits where the bucket of its region is empty, and in no other region', async () => {
    const api = await scriptedAws({ RunInstances: () => MADE });
    const clock = virtualClock();
    const http = transportOf(api, clock);
    for (let i = 0; i < 4; i += 1) await run(http);
    await query(http, { kind: 'create', region: 'us-east-1', action: 'RunInstances' }, z.unknown());
    expect(clock.pauses).toEqual([]);
    await run(http);
    expect(clock.pauses).toEqual([2_000]);
  });
});

describe('reads of AWS', () => {
  it.each<readonly [string, AwsAnswer]>([
    ['an answer without its list', answerOf('DescribeAvailabilityZones', '')],
    ['an answer that was cut off', ZONES.slice(0, -60)],
    ['an answer that was cut off after its list', ZONES.slice(0, -'</DescribeAvailabilityZonesResponse>'.length)],
    ['too many calls', refusal('RequestLimitExceeded', 'slow down', 503)],
  ])('are sent again after %s', async (_name, fault) => {
    const api = await scriptedAws({ DescribeAvailabilityZones: (_call, nth) => (nth < 3 ? fault : ZONES) });
    const clock = virtualClock();
    expect((await readZones(transportOf(api, clock))).availabilityZoneInfo).toHaveLength(1);
    expect(api.seen).toHaveLength(3);
    expect(clock.pauses.slice(0, 1)).toEqual([1_000]);
  });

  it('take half a minute at most, all repetitions together', async () => {
    const clock = virtualClock();
    let sent = 0;
    const http = transportOf({ baseUrl: null }, clock, {
      fetch: () => {
        sent += 1;
        clock.nowMs += 14_600;
        return Promise.reject(new Error('socket hang up'));
      },
    });
    const startedAtMs = clock.nowMs;
    const error = await failureOf(readZones(http));
    expect([error.code, sent]).toEqual(['provider_transient', 2]);
    expect(clock.nowMs - startedAtMs).toBeLessThanOrEqual(30_500);
  });

  it('are not sent again after a refusal', async () => {
    const api = await scriptedAws({ DescribeAvailabilityZones: () => refusal('UnauthorizedOperation', 'no', 403) });
    const error = await failureOf(readZones(transportOf(api)));
    expect([error.code, api.seen.length]).toEqual(['provider_auth', 1]);
    expect(error.hint).toContain('deckhand credentials test aws');
  });

  it('take a Retry-After that is a date', async () => {
    const clock = virtualClock();
    const until = new Date(clock.nowMs + 3_600_000).toUTCString();
    const slow = { status: 503, body: '', headers: { 'retry-after': until } };
    const api = await scriptedAws({ DescribeAvailabilityZones: () => slow });
    expect((await failureOf(readZones(transportOf(api, clock)))).retryAfterMs).toBe(3_600_000);
  });
});

describe('a call to AWS for which the rate limit has no room', () => {
  const closedFor = async (closedMs: number) => {
    const clock = virtualClock();
    const rateLimit = createMemoryRateLimit(clock);
    const api = await scriptedAws({ RunInstances: () => MADE, DescribeAvailabilityZones: () => ZONES });
    // All buckets are closed.
    const take: typeof rateLimit.take = async (buckets, signal, patienceMs) => {
      if (clock.pauses.length === 0) for (const bucket of buckets) await rateLimit.report(bucket, 0, closedMs);
      return rateLimit.take(buckets, signal, patienceMs);
    };
    return { http: transportOf(api, clock, { rateLimit: { ...rateLimit, take } }), api, clock };
  };

  it.each([
    ['create', run],
    ['read', readZones],
  ] as const)('is not sent as a %s that would wait for more than half a minute', async (_kind, send) => {
    const { http, api, clock } = await closedFor(31_000);
    const error = await failureOf(send(http));
    expect([error.code, error.retryAfterMs]).toEqual(['provider_throttled', 31_000]);
    expect([api.seen.length, clock.pauses]).toEqual([0, []]);
  });

  it('waits for less', async () => {
    const { http, api, clock } = await closedFor(20_000);
    await run(http);
    expect([api.seen.length, clock.pauses]).toEqual([1, [20_000]]);
  });
});

describe('a list of AWS', () => {
  const list = (http: AwsTransport) =>
    queryAll(
      http,
      { region: 'eu-west-1', action: 'DescribeAvailabilityZones' },
      zones.transform(({ availabilityZoneInfo }) => availabilityZoneInfo.map(({ zoneName }) => zoneName)),
    );
  const page = (zone: string, token: string): string =>
    answerOf(
      'DescribeAvailabilityZones',
      `<availabilityZoneInfo><item><zoneName>${zone}</zoneName></item></availabilityZoneInfo>${token === '' ? '<nextToken/>' : `<nextToken>${token}</nextToken>`}`,
    );

  it('is read over all its pages', async () => {
    const api = await scriptedAws({
      DescribeAvailabilityZones: ({ form }) =>
        form['NextToken'] === undefined
          ? page('a', 't1')
          : form['NextToken'] === 't1'
            ? page('b', 't2')
            : page('c', ''),
    });
    expect(await list(transportOf(api))).toEqual(['a', 'b', 'c']);
  });

  it('fails as a whole when one page does', async () => {
    const api = await scriptedAws({
      DescribeAvailabilityZones: ({ form }) =>
        form['NextToken'] === undefined ? page('a', 't1') : refusal('InternalError', 'oops', 500),
    });
    expect(await codeOf(list(transportOf(api)))).toBe('provider_transient');
  });

  it('that never ends is no list', async () => {
    const api = await scriptedAws({ DescribeAvailabilityZones: () => page('a', 'again') });
    expect((await failureOf(list(transportOf(api)))).message).toContain('its pages have no end');
  });
});

describe('a create at AWS', () => {
  it.each<readonly [string, AwsAnswer, string]>([
    ['no capacity', refusal('InsufficientInstanceCapacity', 'none', 500), 'provider_capacity'],
    ['too many calls', refusal('RequestLimitExceeded', 'slow', 503), 'provider_throttled'],
    ['an ended session', refusal('ExpiredToken', 'old', 403), 'provider_auth'],
  ])('is sent once, also after %s', async (_name, answer, code) => {
    const api = await scriptedAws({ RunInstances: () => answer });
    const error = await failureOf(run(transportOf(api)));
    expect([error.code, api.seen.length]).toEqual([code, 1]);
  });

  it('is sent exactly once whatever the answer is', async () => {
    let answer: AwsAnswer = '';
    const api = await scriptedAws({ RunInstances: () => answer });
    const http = transportOf(api);
    const answers = fc.oneof(
      fc.constant<AwsAnswer>({ drop: true }),
      fc.constant<AwsAnswer>(MADE),
      fc.record({
        status: fc.integer({ min: 200, max: 599 }).filter((status) => ![204, 205, 304].includes(status)),
        body: fc.string(),
      }),
      fc
        .tuple(
          fc.constantFrom('InternalError', 'Throttling', 'Unsupported', 'ExpiredToken', 'Unheard'),
          fc.constantFrom(400, 403, 500, 503),
        )
        .map(([code, status]) => refusal(code, 'x', status)),
    );
    await forAll([answers], async (given) => {
      answer = given;
      const before = api.seen.length;
      const error: unknown = await run(http).then(
        () => null,
        (e: unknown) => e,
      );
      if (error !== null) expect(error).toMatchObject({ code: expect.stringMatching(/^provider_/u) as string });
      expect(api.seen.length - before).toBe(1);
    });
  });
});
