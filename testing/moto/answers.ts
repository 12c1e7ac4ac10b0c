/**
 * Answers of AWS that moto does not have, in AWS's own form: refusals, the price list, spot prices, public parameters.
 */

/** On-demand prices of Linux, USD per hour, as in eu-west-1; types that are not here have no price. */
const PRICES: Readonly<Record<string, number>> = {
  'g4dn.xlarge': 0.587,
  'g4dn.2xlarge': 0.838,
  'g4dn.12xlarge': 4.362,
  'g5.xlarge': 1.123,
  'g5.2xlarge': 1.353,
  'g5.12xlarge': 6.332,
  'g5.48xlarge': 18.181,
  'p4d.24xlarge': 35.397,
};

const SPOT_SHARE = 0.35;

/** HTTP statuses of refusals that are no 400. */
const STATUSES: Readonly<Record<string, number>> = {
  InsufficientInstanceCapacity: 500,
  InternalError: 500,
  RequestLimitExceeded: 503,
  AuthFailure: 401,
  UnauthorizedOperation: 403,
};

/** An answer as it goes over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const XML = 'text/xml;charset=UTF-8';
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '&#xA;');

/** A refusal of EC2. */
export const refusal = (code: string, message: string): WireAnswer => ({
  status: STATUSES[code] ?? 400,
  contentType: XML,
  text: `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error></Errors><RequestID>8f7724cf-496f-496e-8fe3-example</RequestID></Response>`,
});

const json = (value: unknown): WireAnswer => ({
  status: 200,
  contentType: 'application/x-amz-json-1.1',
  text: JSON.stringify(value),
});

/** A public parameter of SSM. */
export const parameter = (name: string, value: string): WireAnswer =>
  json({
    Parameter: {
      ARN: `arn:aws:ssm:eu-west-1::parameter${name}`,
      DataType: 'aws:ec2:image',
      LastModifiedDate: 1_760_000_000.123,
      Name: name,
      Type: 'String',
      Value: value,
      Version: 12,
    },
  });

/** The price list: products that fit the filters, each as JSON text, with those that are no ordinary machine among them. */
export function priceList(request: string): WireAnswer {
  const { Filters = [] } = JSON.parse(request) as {
    Filters?: readonly { readonly Field: string; readonly Value: string }[];
  };
  const region = Filters.find(({ Field }) => Field === 'regionCode')?.Value ?? 'eu-west-1';
  const products = Object.entries(PRICES).flatMap(([instanceType, usd], index) => [
    product({ instanceType, region, usd, capacitystatus: 'Used', sku: `SKU${index}` }),
    // A place in a reservation that nobody uses, and the same again while somebody does: at no price.
    product({ instanceType, region, usd, capacitystatus: 'UnusedCapacityReservation', sku: `SKU${index}U` }),
    product({ instanceType, region, usd: 0, capacitystatus: 'AllocatedCapacityReservation', sku: `SKU${index}A` }),
  ]);
  const fitting = products.filter(({ product: { attributes } }) =>
    Filters.every(({ Field, Value }) => Field === 'ServiceCode' || Reflect.get(attributes, Field) === Value),
  );
  return json({ FormatVersion: 'aws_v1', PriceList: fitting.map((one) => JSON.stringify(one)) });
}

interface Product {
  readonly sku: string;
  readonly instanceType: string;
  readonly region: string;
  readonly capacitystatus: string;
  readonly usd: number;
}

function product({ sku, instanceType, region, capacitystatus, usd }: Product) {
  const term = `${sku}.JRTCKXETXF`;
  const dimension = `${term}.6YS6EN2CT7`;
  return {
    product: {
      productFamily: 'Compute Instance',
      attributes: {
        capacitystatus,
        instanceFamily: 'GPU instance',
        instanceType,
        licenseModel: 'No License required',
        location: 'EU (Ireland)',
        locationType: 'AWS Region',
        marketoption: 'OnDemand',
        operatingSystem: 'Linux',
        operation: 'RunInstances',
        preInstalledSw: 'NA',
        regionCode: region,
        servicecode: 'AmazonEC2',
        servicename: 'Amazon Elastic Compute Cloud',
        tenancy: 'Shared',
        usagetype: `EU-BoxUsage:${instanceType}`,
      },
      sku,
    },
    serviceCode: 'AmazonEC2',
    terms: {
      OnDemand: {
        [term]: {
          priceDimensions: {
            [dimension]: {
              unit: 'Hrs',
              endRange: 'Inf',
              description: `$${usd} per On Demand Linux ${instanceType} Instance Hour`,
              appliesTo: [],
              rateCode: dimension,
              beginRange: '0',
              pricePerUnit: { USD: usd.toFixed(10) },
            },
          },
          sku,
          effectiveDate: '2026-11-01T00:00:00Z',
          offerTermCode: 'JRTCKXETXF',
          termAttributes: {},
        },
      },
    },
    version: '20261101000000',
    publicationDate: '2026-11-01T00:00:00Z',
  };
}

/** Spot prices of the types that were asked for, in every zone of the region. */
export function spotPrices(instanceTypes: readonly string[], region: string): WireAnswer {
  const rows = instanceTypes.flatMap((instanceType) =>
    ['a', 'b', 'c'].flatMap((letter) => {
      const price = PRICES[instanceType];
      if (price === undefined) return [];
      return `<item><instanceType>${instanceType}</instanceType><productDescription>Linux/UNIX</productDescription><spotPrice>${(price * SPOT_SHARE).toFixed(6)}</spotPrice><timestamp>2026-11-01T00:00:00.000Z</timestamp><availabilityZone>${region}${letter}</availabilityZone></item>`;
    }),
  );
  return {
    status: 200,
    contentType: XML,
    text: `<?xml version="1.0" encoding="UTF-8"?>\n<DescribeSpotPriceHistoryResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>7c4fbc1c-example</requestId><spotPriceHistorySet>${rows.join('')}</spotPriceHistorySet><nextToken/></DescribeSpotPriceHistoryResponse>`,
  };
}
