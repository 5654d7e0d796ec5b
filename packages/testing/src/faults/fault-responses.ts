/** A status with the headers and the body that real servers send with it. */
export interface SampleResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html; charset=utf-8' };
const page = (title: string): string =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr></body></html>\n`;
const error = (type: string, message: string): string => JSON.stringify({ error: { type, message } });

/** Real answers of servers and of the proxies before them, by status. */
const samples: Readonly<Record<number, SampleResponse>> = {
  400: { headers: json, body: error('invalid_request_error', 'The request could not be understood.') },
  401: {
    headers: { ...json, 'www-authenticate': 'Bearer error="invalid_token"' },
    body: error('authentication_error', 'The access token expired.'),
  },
  402: { headers: json, body: error('insufficient_quota', 'You exceeded your current quota, please check your plan and billing details.') },
  403: { headers: json, body: error('permission_error', 'You do not have access to this resource.') },
  404: { headers: json, body: error('not_found_error', 'No such resource.') },
  408: { headers: { ...html, connection: 'close' }, body: page('408 Request Time-out') },
  409: { headers: json, body: error('conflict_error', 'The resource already exists.') },
  413: { headers: html, body: page('413 Request Entity Too Large') },
  415: { headers: json, body: error('unsupported_media_type', 'The media type is not supported.') },
  429: {
    headers: { ...json, 'retry-after': '1', 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' },
    body: error('rate_limit_error', 'Too many requests.'),
  },
  500: { headers: json, body: error('api_error', 'The server had an error while processing your request.') },
  501: { headers: json, body: error('not_implemented', 'This operation is not offered.') },
  502: { headers: html, body: page('502 Bad Gateway') },
  503: { headers: { ...html, 'retry-after': '1' }, body: page('503 Service Temporarily Unavailable') },
  504: { headers: html, body: page('504 Gateway Time-out') },
  529: { headers: json, body: error('overloaded_error', 'Overloaded') },
};

/** Returns the response that a server would send with a status. */
export function sampleResponse(status: number): SampleResponse {
  return samples[status] ?? { headers: json, body: error(`status_${status}`, `The server answered with ${status}.`) };
}

/** The page of a gateway that answers in place of a JSON interface, with a status that promises more. */
export const strangePage: SampleResponse = { headers: html, body: page('Sign in to continue') };
