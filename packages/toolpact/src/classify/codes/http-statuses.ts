import { type CodeTable, lookUp, type Reading } from '../reading.ts';

/** Reads an HTTP status: its own meaning, or that of its class. */
export function readHttpCode(status: number): readonly Reading[] {
  const exact = lookUp(statuses, status);
  return exact.length > 0 ? exact : lookUp(classes, Math.floor(status / 100));
}

/** Checks whether a number is a status that services answer a failed request with, and not a port or a count. */
export function isFailureStatus(status: number): boolean {
  return lookUp(statuses, status).length > 0 || [520, 521, 522, 523, 525, 529].includes(status);
}

/** Returns the status that a reason phrase stands for. */
export function statusOfReason(reason: string): number | undefined {
  return reasons.get(reason.toLowerCase());
}

/**
 * Weights say how much a status tells: a bare 400, 403 or 500 says little, a 404 says what happened. The reason is what stands for the
 * status in words.
 */
const statuses: CodeTable = {
  400: ['invalid_input', 31, 'Bad Request'],
  401: ['unauthenticated', 60, 'Unauthorized'],
  402: ['budget_exhausted', 60, 'Payment Required'],
  403: ['forbidden', 42, 'Forbidden'],
  404: ['not_found', 60, 'Not Found'],
  405: ['unsupported', 60, 'Method Not Allowed'],
  406: ['unsupported', 60, 'Not Acceptable'],
  407: ['unauthenticated', 60, 'Proxy Authentication Required'],
  408: ['timeout', 60, 'Request Timeout'],
  409: ['conflict', 60, 'Conflict'],
  410: ['not_found', 60, 'Gone'],
  412: ['conflict', 60, 'Precondition Failed'],
  413: ['too_large', 76, 'Payload Too Large'],
  414: ['too_large', 76, 'URI Too Long'],
  415: ['unsupported', 60, 'Unsupported Media Type'],
  416: ['invalid_input', 61, 'Range Not Satisfiable'],
  420: ['rate_limited', 60, 'Enhance Your Calm'],
  422: ['invalid_input', 31, 'Unprocessable Entity'],
  423: ['conflict+', 70, 'Locked'],
  424: ['upstream', 45, 'Failed Dependency'],
  425: ['not_ready', 60, 'Too Early'],
  429: ['rate_limited', 60, 'Too Many Requests'],
  431: ['too_large', 76, 'Request Header Fields Too Large'],
  449: ['conflict+', 70, 'Retry With'],
  451: ['denied', 74, 'Unavailable For Legal Reasons'],
  499: ['cancelled', 52, 'Client Closed Request'],
  500: ['upstream', 45, 'Internal Server Error'],
  501: ['unsupported', 60, 'Not Implemented'],
  502: ['upstream', 45, 'Bad Gateway'],
  503: ['upstream', 45, 'Service Unavailable'],
  504: ['timeout', 60, 'Gateway Timeout'],
  507: ['budget_exhausted', 60, 'Insufficient Storage'],
  524: ['timeout', 60, 'A Timeout Occurred'],
};

const reasons = new Map(Object.entries(statuses).map(([status, [, , reason = '']]) => [reason.toLowerCase(), Number(status)]));

const classes: CodeTable = {
  3: ['bad_response', 50],
  4: ['invalid_input', 20],
  5: ['upstream', 45],
};
