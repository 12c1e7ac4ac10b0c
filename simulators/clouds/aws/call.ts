/** Calls to the simulated AWS: which service and operation they are for, and their answers, in this order: signature, rate limits, operation. */
import { randomUUID } from 'node:crypto';
import type { Wire } from '../core/call.ts';
import { accountControl } from '../core/control.ts';
import type { CallTraits } from '../core/faults.ts';
import { isTooMany } from '../core/rate-limits.ts';
import { ACCOUNT_ID, quotaSchema, subnetOf, type Call, type Simulation } from './account.ts';
import { REGIONS } from './catalogue.ts';
import { OPERATIONS } from './ec2/operations.ts';
import { dryRun } from './ec2/run.ts';
import { AwsError, awsErrorOf, codeOfStatus, errorResponse, tooManyCalls, type Service } from './errors.ts';
import { jsonInput, parametersOf, type Parameter, type Parameters } from './parameters.ts';
import { pricing } from './pricing.ts';
import { credentialOf, verifySignature } from './signature.ts';
import { xmlResponse } from './xml.ts';
import { z } from 'zod';
import { IMAGES, type AwsImage } from './images.ts';

/** A call as it came, before anything is checked. */
interface Received {
  readonly request: Request;
  readonly body: string;
  readonly service: Service;
  readonly region: string;
  readonly operation: string;
  readonly parameters: Parameters;
}

const SERVICES: ReadonlySet<string> = new Set<Service>(['ec2', 'sts', 'ssm', 'pricing']);
const isService = (name: string): name is Service => SERVICES.has(name);

/** The service is named by the signature; a call without one is EC2's. */
function received(request: Request, body: string): Received {
  const credential = credentialOf(request);
  const named = credential?.service ?? '';
  const service = isService(named) ? named : 'ec2';
  const url = new URL(request.url);
  const isForm = request.headers.get('content-type')?.includes('x-www-form-urlencoded') === true;
  const form = new URLSearchParams([...url.searchParams, ...(isForm ? new URLSearchParams(body) : [])]);
  const target = request.headers.get('x-amz-target');
  return {
    request,
    body,
    service,
    region: credential?.region ?? '',
    operation: target === null ? (form.get('Action') ?? '') : (target.split('.').at(-1) ?? ''),
    parameters: parametersOf(form),
  };
}

const asText = (parameter: Parameter | undefined): string | undefined =>
  typeof parameter === 'string' ? parameter : undefined;

const below = (parameter: Parameter | undefined, name: string): Parameter | undefined =>
  typeof parameter === 'object' && !Array.isArray(parameter) ? parameter[name] : undefined;

/** What fault rules can match; a call on one instance has the traits of that instance. */
function traitsOf({ cloud }: Simulation, { request, service, operation, parameters }: Received): CallTraits {
  const traits = { method: request.method, path: `/${service}/${operation}`, action: operation };
  if (operation === 'RunInstances') {
    const subnetId =
      asText(parameters['SubnetId']) ?? asText(below([parameters['NetworkInterface']].flat()[0], 'SubnetId'));
    return {
      ...traits,
      instanceType: asText(parameters['InstanceType']),
      location:
        asText(below(parameters['Placement'], 'AvailabilityZone')) ??
        cloud.catalogue.locations.find((zone) => subnetOf(zone) === subnetId),
      market: parameters['InstanceMarketOptions'] === undefined ? 'ondemand' : 'spot',
    };
  }
  const id = asText([parameters['InstanceId']].flat()[0]);
  const instance = id === undefined ? undefined : cloud.state.instances[id];
  if (instance === undefined) return traits;
  return { ...traits, instanceType: instance.instanceType, location: instance.location, market: instance.market };
}

function ec2(call: Call, operation: string): Response {
  const run = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
  if (run === undefined)
    throw new AwsError('InvalidAction', `The action ${operation} is not valid for this web service.`);
  // RunInstances checks its parameters first.
  if (operation !== 'RunInstances' && call.parameters['DryRun'] === 'true') throw dryRun();
  const tree = run(call);
  return xmlResponse({
    [`${operation}Response`]: {
      '@xmlns': 'http://ec2.amazonaws.com/doc/2016-11-15/',
      requestId: randomUUID(),
      ...(tree as object),
    },
  });
}

function sts({ sim }: Call, operation: string): Response {
  if (operation !== 'GetCallerIdentity')
    throw new AwsError('InvalidAction', `Could not find operation ${operation} for version 2011-06-15`);
  return xmlResponse({
    GetCallerIdentityResponse: {
      '@xmlns': 'https://sts.amazonaws.com/doc/2011-06-15/',
      GetCallerIdentityResult: {
        Arn: `arn:aws:iam::${ACCOUNT_ID}:user/${sim.accessKeyId}`,
        UserId: 'AIDASIMULATEDUSER0000',
        Account: ACCOUNT_ID,
      },
      ResponseMetadata: { RequestId: randomUUID() },
    },
  });
}

function json(answer: unknown): Response {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() };
  return Response.json(answer, { headers });
}

function parsedBody(body: string): unknown {
  try {
    return JSON.parse(body === '' ? '{}' : body) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new AwsError('SerializationException', 'The body is not JSON');
    throw error;
  }
}

/** Carries out a call that is let through. @throws AwsError, CloudRefusal */
function carryOut(call: Call, { service, operation, body }: Received): Response {
  switch (service) {
    case 'ec2':
      return ec2(call, operation);
    case 'sts':
      return sts(call, operation);
    case 'ssm':
      return json(ssm(call, operation, parsedBody(body)));
    case 'pricing':
      return json(pricing(call, operation, parsedBody(body)));
  }
}

function checked(sim: Simulation, call: Received): void {
  const { clock } = sim.cloud;
  verifySignature(call.request, call.body, call.service, {
    accessKeyId: sim.accessKeyId,
    secretAccessKey: sim.secretAccessKey,
    nowMs: clock.kind === 'real' ? clock.nowMs() : null,
  });
  if (!REGIONS.some((r) => r.name === call.region))
    throw new AwsError('AuthFailure', `The region ${call.region} is not enabled for this account`, 401);
  const { region, operation } = call;
  const alike = { all: region, alike: `${region} ${operation}`, isList: operation.startsWith('Describe') };
  if (isTooMany(sim.cloud, sim.account.windows, alike)) throw tooManyCalls(call.service);
}

/** Calls to AWS. */
export const AWS_WIRE: Wire<Simulation> = {
  control: accountControl(quotaSchema, (message) => ({ code: 'invalid_request', message })),
  receive: (sim, request, body) => {
    const call = received(request, body);
    const { service, operation, region, parameters } = call;
    const answerTo = (error: unknown): Response => errorResponse(service, awsErrorOf(error));
    return {
      counted: `${request.method} /${service}/${operation}`,
      traits: traitsOf(sim, call),
      shows: operation.startsWith('Describe'),
      refuse: (status, code = codeOfStatus(status), message) => answerTo(new AwsError(code, message, status)),
      tooMany: () => answerTo(tooManyCalls(service)),
      carryOut: (effects) => {
        checked(sim, call);
        return carryOut({ sim, region, parameters, ...effects }, call);
      },
      answerTo,
    };
  },
};

const byName = ({ region }: Call, name: string): AwsImage | undefined =>
  IMAGES.find((i) => i.region === region && i.parameter === name);

const parameterOf = (image: AwsImage): Record<string, unknown> => ({
  Name: image.parameter,
  Type: 'String',
  Value: image.id,
  Version: 12,
  LastModifiedDate: Date.parse(image.createdAt) / 1000,
  ARN: `arn:aws:ssm:${image.region}::parameter${image.parameter}`,
  DataType: image.parameter.startsWith('/aws/service/canonical') ? 'aws:ec2:image' : 'text',
});

const oneName = z.strictObject({ Name: z.string(), WithDecryption: z.boolean().optional() });
const someNames = z.strictObject({ Names: z.array(z.string()).min(1).max(10), WithDecryption: z.boolean().optional() });

/** Answers GetParameter and GetParameters of SSM for the public parameters that name images. @throws AwsError */
function ssm(call: Call, operation: string, body: unknown): unknown {
  switch (operation) {
    case 'GetParameter': {
      const image = byName(call, jsonInput(oneName, body).Name);
      // The service says nothing but the code.
      if (image === undefined) throw new AwsError('ParameterNotFound', '');
      return { Parameter: parameterOf(image) };
    }
    case 'GetParameters': {
      const names = jsonInput(someNames, body).Names;
      return {
        Parameters: names.flatMap((name) => {
          const image = byName(call, name);
          return image === undefined ? [] : [parameterOf(image)];
        }),
        InvalidParameters: names.filter((name) => byName(call, name) === undefined),
      };
    }
    default:
      throw new AwsError('UnknownOperationException', `Operation ${operation} is not known`);
  }
}
