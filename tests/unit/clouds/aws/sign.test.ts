/**
 * Signatures against those that AWS publishes for its Signature Version 4 test suite.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signedHeaders, type UnsignedRequest } from '../../../../clouds/aws/http/sign.ts';
import { forAll } from '../../../../testing/property.ts';

const CREDENTIALS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';
const SCOPE = { service: 'service', region: 'us-east-1', atMs: Date.parse('2015-08-30T12:36:00Z') };

const request = (changes: Partial<UnsignedRequest> = {}): UnsignedRequest => ({
  method: 'POST',
  url: 'https://example.amazonaws.com/',
  headers: {},
  body: '',
  ...changes,
});
const FORM = {
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: 'Param1=value1',
};

describe('a signature', () => {
  it.each([
    [
      'get-vanilla',
      request({ method: 'GET' }),
      'host;x-amz-date',
      '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    ],
    ['post-vanilla', request(), 'host;x-amz-date', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'post-header-key-sort',
      request({ headers: { 'My-Header1': 'value1' } }),
      'host;my-header1;x-amz-date',
      'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
    ],
    [
      'get-header-value-trim',
      request({ method: 'GET', headers: { 'My-Header1': ' value1', 'My-Header2': ' "a   b   c"' } }),
      'host;my-header1;my-header2;x-amz-date',
      'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
    ],
    [
      'post-x-www-form-urlencoded',
      request(FORM),
      'content-type;host;x-amz-date',
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ])('is the published one of %s', async (_name, unsigned, names, signature) => {
    const { authorization, 'x-amz-date': time } = await signedHeaders(unsigned, CREDENTIALS, SCOPE);
    expect(authorization).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    );
    expect(time).toBe('20150830T123600Z');
  });

  it('covers the session token of temporary credentials (post-sts-header-before)', async () => {
    const headers = await signedHeaders(request(), { ...CREDENTIALS, sessionToken: TOKEN }, SCOPE);
    expect(headers['x-amz-security-token']).toBe(TOKEN);
    expect(headers['authorization']).toContain(
      'SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
    );
  });

  it('is another one for another body, address, region, service, time or key', () =>
    forAll([fc.string({ minLength: 1 }), fc.integer({ min: 1_000, max: 10 ** 11 })], async (text, ms) => {
      const base = request(FORM);
      const all = await Promise.all([
        signedHeaders(base, CREDENTIALS, SCOPE),
        signedHeaders({ ...base, body: `${base.body}${text}` }, CREDENTIALS, SCOPE),
        signedHeaders({ ...base, url: 'https://other.amazonaws.com/' }, CREDENTIALS, SCOPE),
        signedHeaders(base, CREDENTIALS, { ...SCOPE, region: 'eu-west-1' }),
        signedHeaders(base, CREDENTIALS, { ...SCOPE, service: 'ec2' }),
        signedHeaders(base, CREDENTIALS, { ...SCOPE, atMs: SCOPE.atMs + ms }),
        signedHeaders(base, { ...CREDENTIALS, secretAccessKey: `k${text}` }, SCOPE),
      ]);
      expect(new Set(all.map(({ authorization }) => authorization?.split('Signature=')[1])).size).toBe(all.length);
    }));

  it('a signature shows no secret', async () => {
    const headers = await signedHeaders(request(FORM), CREDENTIALS, SCOPE);
    expect(JSON.stringify(headers)).not.toContain(CREDENTIALS.secretAccessKey);
  });
});
