import { isObject, peek } from '../json/index.ts';

/** The meaning of the codes with which a connection fails, for a person who has to put it right. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no network',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  ETIMEDOUT: 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
};

/** Says why a connection failed, from the code of an error or of one behind it: `fetch` itself says no more than "fetch failed". */
export function whyUnreachable(thrown: unknown): string | undefined {
  let error = thrown;
  for (let depth = 0; depth < 4 && isObject(error); depth += 1) {
    const code = peek(error, 'code');
    if (typeof code === 'string' && Object.hasOwn(reasons, code)) return reasons[code];
    error = peek(error, 'cause');
  }
  return undefined;
}
