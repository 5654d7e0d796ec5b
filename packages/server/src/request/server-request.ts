import type { RequestHead } from './request-head.ts';
import type { ResponseFormat } from './response-format.ts';

/** A request on its way through the pipeline. */
export interface ServerRequest {
  readonly head: RequestHead;
  /** The format of answers where the request selects none. */
  readonly defaultFormat: ResponseFormat;
}
