import { fail, type RunContext } from 'toolpact';
import { toBase64 } from 'toolpact/internal';
import type { Credential, OpenApiOptions } from '../open-api-options.ts';
import type { SecurityPlan, SecurityScheme } from '../plan/plan-security.ts';

/** The credentials of a request, and the texts that no output may contain. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly cookies: readonly (readonly [string, string])[];
  readonly secrets: readonly string[];
}

const none: Credentials = { headers: {}, query: [], cookies: [], secrets: [] };

/** Gets the credentials of a call by the first way that the application can serve. Throws where it can serve none. */
export async function gatherCredentials(
  plan: SecurityPlan,
  auth: NonNullable<OpenApiOptions['auth']>,
  context: RunContext,
): Promise<Credentials> {
  // A variable that is not set is read as an empty text.
  const isGiven = ({ name }: SecurityScheme): boolean => Object.hasOwn(auth, name) && auth[name] !== undefined && auth[name] !== '';
  const ways = plan.filter((schemes) => schemes.length > 0 && schemes.every(isGiven));
  const empty: string[] = [];
  for (const schemes of ways) {
    const found: [SecurityScheme, Credential][] = [];
    for (const scheme of schemes) {
      const source = auth[scheme.name];
      const credential = typeof source === 'function' ? await source(context, scheme.name) : source;
      // A look-up in a database gives null where there is nothing.
      if (credential === undefined || credential === null || credential === '') empty.push(scheme.name);
      else found.push([scheme, credential]);
    }
    if (found.length === schemes.length) return found.map(([scheme, credential]) => send(scheme, credential)).reduce(join, none);
  }
  // An empty way means that the operation also works without a credential.
  if (plan.length === 0 || plan.some((schemes) => schemes.length === 0)) return none;
  if (empty.length > 0) throw fail('unauthenticated', `This caller has no credential for ${empty.join(' or ')}.`, { effect: 'none' });
  const wanted = plan.map((schemes) => schemes.map(({ name }) => name).join(' and ')).join(', or ');
  throw fail('not_configured', `This tool needs a credential for ${wanted}, and none was configured.`, { effect: 'none' });
}

function send({ send: how, field }: SecurityScheme, credential: Credential): Credentials {
  if (typeof credential === 'object' && !('password' in credential)) {
    const { headers = {}, query = {} } = credential;
    const values = [...Object.values(headers), ...Object.values(query)];
    return { ...none, headers, query: Object.entries(query), secrets: values.flatMap((value) => [value, value.replace(/^\S+\s+/, '')]) };
  }
  const login = typeof credential === 'string' ? undefined : `${credential.username}:${credential.password}`;
  const secrets = typeof credential === 'string' ? [credential] : [credential.password];
  if (how === 'basic' || login !== undefined) {
    const encoded = toBase64(new TextEncoder().encode(login ?? (credential as string)));
    // A login given as one text: its password alone must not show either.
    const password = typeof credential === 'string' ? credential.slice(credential.indexOf(':') + 1) : credential.password;
    return { ...none, headers: { authorization: `Basic ${encoded}` }, secrets: [...secrets, encoded, password] };
  }
  const text = credential as string;
  if (how === 'header') return { ...none, headers: { [field]: text }, secrets: [text, text.replace(/^\S+\s+/, '')] };
  if (how === 'query') return { ...none, query: [[field, text]], secrets };
  if (how === 'cookie') return { ...none, cookies: [[field, text]], secrets };
  return { ...none, headers: { authorization: `${field === '' ? 'Bearer' : field} ${text}` }, secrets };
}

function join(a: Credentials, b: Credentials): Credentials {
  return {
    headers: { ...a.headers, ...b.headers },
    query: [...a.query, ...b.query],
    cookies: [...a.cookies, ...b.cookies],
    secrets: [...a.secrets, ...b.secrets],
  };
}
