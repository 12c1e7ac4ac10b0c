/**
 * SSM: GetParameter and GetParameters for the public parameters that name images.
 */
import { z } from 'zod';
import type { Call } from './account.ts';
import { AwsError } from './errors.ts';
import { IMAGES, type AwsImage } from './images.ts';
import { jsonInput } from './json-input.ts';

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

/** Answers a call. @throws AwsError */
export function ssm(call: Call, operation: string, body: unknown): unknown {
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
