/** Requests that are refused, or broken off, before a database is asked: each by its name, and none as a fault of the API. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveWithoutServices, type ApiWithoutServices } from '../../support/api-without-services.ts';

const MAX_UPLOAD_BYTES = 256 * 1024;

let api: ApiWithoutServices;
beforeEach(async () => {
  api = await serveWithoutServices({ maxUploadBytes: MAX_UPLOAD_BYTES });
});
afterEach(() => api.close());

const codeOf = async (response: Response): Promise<unknown> => ((await response.json()) as { code: unknown }).code;

describe('a login', () => {
  it.each([
    ['without a boundary', 'multipart/form-data', 'key=dh_o_x'],
    ['with a body that is not multipart', 'multipart/form-data; boundary=B', 'key=dh_o_x'],
    [
      'whole',
      'multipart/form-data; boundary=B',
      '--B\r\nContent-Disposition: form-data; name="key"\r\n\r\nx\r\n--B--\r\n',
    ],
  ])('as multipart/form-data, %s, is a bad request', async (_name, type, body) => {
    const response = await fetch(`${api.url}/session`, { method: 'POST', headers: { 'content-type': type }, body });
    expect([response.status, await codeOf(response)]).toEqual([400, 'invalid_request']);
    expect(api.log.filter(({ level }) => level >= 50)).toEqual([]);
  });
});
