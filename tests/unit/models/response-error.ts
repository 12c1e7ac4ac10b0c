/**
 * The error class of the npm client, which it does not export: a message and `status_code`.
 */
export class ResponseError extends Error {
  readonly status_code: number;
  constructor(message: string, status: number) {
    super(message);
    this.status_code = status;
  }
}
