/**
 * Stands in front of moto and adds what it lacks of EC2: client tokens, time until a machine runs, states in which a command is refused,
 * prices, the public parameters of images, and on demand refusals and lost answers.
 *
 * It only reads a request's fields and the ids and states in an answer; everything else is moto's.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { endServer, listen } from '../server.ts';
import { parameter, priceList, refusal, spotPrices, type WireAnswer } from './answers.ts';

/** Refuses a call: which ones, and in which words. */
export interface MotoRefusal {
  /** True for actions that are refused, such as `RunInstances`. */
  readonly fits: (action: string) => boolean;
  readonly code: string;
  readonly message: string;
}

export interface MotoProxy {
  readonly url: string;
  /** Refuses what fits from now on; null = nothing. */
  refuse(refusal: MotoRefusal | null): void;
  /** The next call of this action takes effect, and the connection is cut instead of an answer; null = that of none. */
  loseAnswerOf(action: string | null): void;
  /** Every call so far, by its action, oldest first. */
  readonly actions: readonly string[];
  close(): Promise<void>;
}

interface Made {
  readonly parameters: string;
  readonly answer: Promise<WireAnswer>;
}

/** A call as it came. */
interface Call {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly form: URLSearchParams;
  readonly region: string;
}

const RUNNING = '<instanceState><code>16</code><name>running</name></instanceState>';
const PENDING = '<instanceState><code>0</code><name>pending</name></instanceState>';
/** The image that stands for all of them: moto's newest with a driver. */
const IMAGE_NAME = 'Deep Learning AMI Ubuntu*';
const IMAGE_PARAMETERS = '/aws/service/deeplearning/ami/';

/** Starts it on a free port. @param bootMs from a create or start until the machine runs */
export async function startMotoProxy(motoUrl: string, bootMs = 300): Promise<MotoProxy> {
  let refused: MotoRefusal | null = null;
  let lost: string | null = null;
  const actions: string[] = [];
  const made = new Map<string, Made>();
  const runsAtMs = new Map<string, number>();
  const known = new Map<string, Promise<WireAnswer>>();

  /** Asks moto, in the name of the caller. */
  async function ask({ headers, region }: Pick<Call, 'headers' | 'region'>, body: string): Promise<WireAnswer> {
    const answer = await fetch(motoUrl, {
      method: 'POST',
      headers: {
        authorization: headers.authorization ?? signature(region),
        'content-type': headers['content-type'] ?? '',
        ...(typeof headers['x-amz-target'] === 'string' ? { 'x-amz-target': headers['x-amz-target'] } : {}),
      },
      body,
    });
    return { status: answer.status, contentType: answer.headers.get('content-type') ?? '', text: await answer.text() };
  }

  const askEc2 = (call: Call, fields: Readonly<Record<string, string>>): Promise<WireAnswer> =>
    ask(call, new URLSearchParams({ Version: '2016-11-15', ...fields }).toString());

  /** State of an instance as it is shown; null for one that moto does not know. */
  async function stateOf(call: Call, instanceId: string): Promise<string | null> {
    const { text: found } = await askEc2(call, { Action: 'DescribeInstances', 'InstanceId.1': instanceId });
    return /<instanceState><code>\d+<\/code><name>([\w-]+)/u.exec(withBoots(found))?.[1] ?? null;
  }

  /** Shows as pending what has not had its time to boot. */
  const withBoots = (answer: string): string =>
    answer.replaceAll(
      /<instanceId>(i-[0-9a-f]+)<\/instanceId>(?:(?!<instanceId>).)*?<\/instanceState>/gsu,
      (part, id) => ((runsAtMs.get(String(id)) ?? 0) > Date.now() ? part.replace(RUNNING, PENDING) : part),
    );

  const booting = (answer: WireAnswer): WireAnswer => {
    if (answer.status !== 200) return answer;
    for (const [, id = ''] of answer.text.matchAll(/<instanceId>(i-[0-9a-f]+)<\/instanceId>/gu))
      runsAtMs.set(id, Date.now() + bootMs);
    return answer;
  };

  /**
   * A create under a token: once per zone, the same again while its machine exists, refused with other parameters.
   * A create that was refused leaves its token free.
   */
  async function run(call: Call): Promise<WireAnswer> {
    const token = call.form.get('ClientToken');
    if (token === null) return booting(await ask(call, call.body));
    const place = call.form.get('Placement.AvailabilityZone') ?? call.form.get('SubnetId') ?? '';
    const key = `${call.region} ${place} ${token}`;
    const parameters = [...call.form]
      .map(([name, value]) => `${name}=${value}`)
      .toSorted()
      .join('\n');
    const before = made.get(key);
    if (before === undefined) {
      const answer = ask(call, call.body).then(booting);
      made.set(key, { parameters, answer });
      const { status } = await answer;
      if (status !== 200) made.delete(key);
      return answer;
    }
    if (before.parameters !== parameters)
      return refusal(
        'IdempotentParameterMismatch',
        'The client token you have provided is associated with a resource that is not the same.',
      );
    const answer = await before.answer;
    const state = await stateOf(call, /<instanceId>(i-[0-9a-f]+)/u.exec(answer.text)?.[1] ?? '');
    if (state === null || state === 'terminated')
      return refusal(
        'IdempotentInstanceTerminated',
        'The client token is associated with an instance that has been terminated.',
      );
    return answer;
  }

  /** Refuses a command in a state that does not allow it. */
  async function wrongState(call: Call, action: string): Promise<WireAnswer | null> {
    const instanceId = call.form.get('InstanceId.1') ?? call.form.get('InstanceId') ?? '';
    const allowed =
      action === 'StartInstances'
        ? ['stopped', 'running', 'pending']
        : action === 'StopInstances'
          ? ['running', 'stopped', 'stopping']
          : action === 'ModifyInstanceAttribute' && call.form.has('InstanceType.Value')
            ? ['stopped']
            : null;
    const state = allowed === null ? null : await stateOf(call, instanceId);
    if (allowed === null || state === null || allowed.includes(state)) return null;
    const verb = action === 'StartInstances' ? 'started' : action === 'StopInstances' ? 'stopped' : 'modified';
    return refusal(
      'IncorrectInstanceState',
      `The instance '${instanceId}' is not in a state from which it can be ${verb}.`,
    );
  }

  /** Answers that are the same each time are kept: they take moto a second each. */
  function kept(key: string, find: () => Promise<WireAnswer>): Promise<WireAnswer> {
    const found = known.get(key) ?? find();
    known.set(key, found);
    return found;
  }

  async function image(call: Call): Promise<string> {
    const fields = { Action: 'DescribeImages', 'Filter.1.Name': 'name', 'Filter.1.Value.1': IMAGE_NAME };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { text: found } = await kept(`image ${call.region}`, () => askEc2({ ...call, headers }, fields));
    return /ami-[0-9a-f]+/u.exec(found)?.[0] ?? '';
  }

  async function answer(call: Call, action: string): Promise<WireAnswer> {
    if (refused?.fits(action) === true) return refusal(refused.code, refused.message);
    switch (action) {
      case 'GetProducts':
        return priceList(call.body);
      case 'GetParameter': {
        const { Name } = JSON.parse(call.body) as { readonly Name: string };
        return Name.startsWith(IMAGE_PARAMETERS) ? parameter(Name, await image(call)) : ask(call, call.body);
      }
      case 'DescribeSpotPriceHistory':
        return spotPrices(
          [...call.form].flatMap(([name, value]) => (name.startsWith('InstanceType.') ? [value] : [])),
          call.region,
        );
      case 'RunInstances':
        return run(call);
      case 'DescribeInstanceTypes':
      case 'DescribeInstanceTypeOfferings':
        return kept(`${call.region} ${call.body}`, () => ask(call, call.body));
      default: {
        const refusedState = await wrongState(call, action);
        if (refusedState !== null) return refusedState;
        const answered = await ask(call, call.body);
        return action === 'StartInstances' ? booting(answered) : { ...answered, text: withBoots(answered.text) };
      }
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { headers } = request;
    const form = new URLSearchParams(body);
    const action = String(headers['x-amz-target'] ?? '').split('.')[1] ?? form.get('Action') ?? '';
    const region = /Credential=[^/]+\/\d+\/([\w-]+)\//u.exec(headers.authorization ?? '')?.[1] ?? '';
    const call = { headers, body, form, region };
    actions.push(action);
    const isLost = lost === action;
    if (isLost) lost = null;
    const { status, contentType, text: answered } = await answer(call, action);
    if (isLost) return void request.socket.destroy();
    response.writeHead(status, { 'content-type': contentType }).end(answered);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    actions,
    refuse: (what) => {
      refused = what;
    },
    loseAnswerOf: (action) => {
      lost = action;
    },
    close: () => endServer(server),
  };
}

/** moto reads of a signature what it is for, and checks nothing. */
const signature = (region: string): string =>
  `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/ec2/aws4_request, SignedHeaders=host, Signature=none`;
