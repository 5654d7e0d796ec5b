import { ToolpactError } from 'toolpact';
import { inPlace, isRecord, type OptionNames, refuseOptions } from 'toolpact/internal';
import type { GatewayTarget } from './upstream.ts';

type Place = readonly (string | number)[];

const options: OptionNames<GatewayTarget> = {
  command: true,
  args: 'an array',
  env: 'an object',
  cwd: true,
  url: true,
  headers: 'an object',
  connect: 'a function',
  era: ['legacy', 'modern'],
};

/** Checks the servers of a gateway, and names the value that is wrong by its place: `servers.notes.args.0`. Gives their names. */
export function checkServers(servers: Readonly<Record<string, GatewayTarget>>): string[] {
  if (!isRecord(servers) || Object.keys(servers).length === 0)
    throw wrong('servers must name one server at least: { notes: { command: "npx", args: [...] } }', ['servers']);
  for (const [name, target] of Object.entries(servers)) checkTarget(target, ['servers', name]);
  return Object.keys(servers);
}

function checkTarget(target: unknown, place: Place): void {
  const what = place.join('.');
  if (!/^[A-Za-z][\w-]{0,31}$/.test(String(place.at(-1))))
    throw wrong(`${what}: names of servers are letters, digits, _ and -, at most 32`, place);
  if (!isRecord(target)) throw wrong(`${what} must be an object, such as { command: npx, args: [...] }`, place);
  inPlace(place, () => refuseOptions(what, target as never, options));
  const given = ways.filter((way) => target[way] !== undefined);
  const [way] = given;
  if (way === undefined || given.length > 1) throw wrong(`${what} needs one of command, url and connect`, place);
  for (const [option, owner] of Object.entries(owners))
    if (target[option] !== undefined && owner !== way)
      throw wrong(`${what}.${option} belongs to ${owner}, not to ${way}`, [...place, option]);
  for (const option of ['command', 'cwd'])
    if (target[option] !== undefined) checkText(target[option], [...place, option], (text) => text !== '' && !text.includes('\0'));
  for (const option of ['args', 'env', 'headers'])
    for (const [key, value] of Object.entries(target[option] ?? {}))
      checkText(value, [...place, option, Array.isArray(target[option]) ? Number(key) : key], (text) => !text.includes('\0'));
  if (way === 'url') checkUrl(target.url, [...place, 'url']);
  for (const [name, value] of Object.entries(target.headers ?? {})) checkHeader(name, value, [...place, 'headers', name]);
}

const ways = ['command', 'url', 'connect'] as const;
/** The way of reaching a server that an option is for. */
const owners = { args: 'command', env: 'command', cwd: 'command', headers: 'url' } as const;

function checkText(value: unknown, place: Place, isFine: (text: string) => boolean): void {
  if (typeof value === 'string' && isFine(value)) return;
  const hint = typeof value === 'number' || typeof value === 'boolean' ? `, such as "${value}"` : '';
  throw wrong(`${place.join('.')} must be a text${hint}`, place);
}

/** The value is not told, because it may hold a credential. */
function checkUrl(url: unknown, place: Place): void {
  const what = place.join('.');
  const parsed = URL.parse(String(url));
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw wrong(`${what} must be an address that begins with http:// or https://`, place);
  if (parsed.username !== '' || parsed.password !== '')
    throw wrong(`${what} must not hold a login; put it into headers: { Authorization: "Basic …" }`, place);
}

function checkHeader(name: string, value: unknown, place: Place): void {
  try {
    new Headers([[name, value as string]]);
  } catch {
    throw wrong(`${place.join('.')} is not a header that can be sent: its name or its value has a character that none may have`, place);
  }
}

function wrong(message: string, place: Place): ToolpactError {
  return new ToolpactError('invalid_option', message, { place: [...place] });
}
