/** The check of AWS credentials: who they belong to. */
import { expect, it } from 'vitest';
import { awsIdentity } from '../../../../clouds/aws/identity.ts';
import { scriptedAws } from './scripted-aws.ts';

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret-access-key' };

it('names the account and the user', async () => {
  const api = await scriptedAws({
    GetCallerIdentity: () =>
      `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
       <Arn>arn:aws:iam::123456789012:user/deckhand</Arn><UserId>AIDAX</UserId><Account>123456789012</Account>
       </GetCallerIdentityResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></GetCallerIdentityResponse>`,
  });
  expect(await awsIdentity({ regions: ['eu-west-1'], baseUrl: api.baseUrl }, CREDENTIALS)).toEqual({
    account: '123456789012',
    arn: 'arn:aws:iam::123456789012:user/deckhand',
  });
  const [call] = api.seen;
  expect([call?.service, call?.region, call?.form['Version']]).toEqual(['sts', 'eu-west-1', '2011-06-15']);
});
