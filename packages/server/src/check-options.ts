import { ToolpactError } from 'toolpact';
import type { McpTelemetry } from 'toolpact/extend';
import { knownOptions, type OptionNames, refuseOptions, withoutAbsent } from 'toolpact/internal';
import type { Authenticate } from './auth/identity.ts';
import { isDialect } from './check-dialects.ts';
import { checkInspector, type InspectorSettings } from './inspector/inspector-options.ts';
import { readDialects } from './read-dialects.ts';
import type { ServedDialect } from './request/served-dialect.ts';
import { checkRoutes } from './routes/lay-routes.ts';
import type { RunWithin, ServerOptions } from './server-options.ts';

/** The options with everything filled in that has a default. */
export interface ServerSettings extends Omit<ServerOptions, 'inspector'> {
  readonly inspector: InspectorSettings | undefined;
  readonly authenticators: readonly Authenticate[];
  readonly dialects: readonly ServedDialect[];
  /** Runs a call inside the trace that its request brings. */
  readonly within?: RunWithin;
  readonly maxBodyBytes: number;
  readonly maxDepth: number;
  readonly maxBatch: number;
  readonly maxTimeoutMs: number;
  readonly heartbeatMs: number;
}

const defaults = {
  maxBodyBytes: 1_048_576,
  maxDepth: 64,
  maxBatch: 100,
  maxTimeoutMs: 600_000,
  heartbeatMs: 15_000,
};
const known: OptionNames<ServerOptions> = {
  ...knownOptions(defaults),
  auth: true,
  hosts: true,
  origins: true,
  limits: true,
  auditLog: true,
  containStrays: true,
  telemetry: true,
  mcp: true,
  openapi: true,
  inspector: true,
  operator: true,
  dialects: true,
  dialect: true,
  routes: true,
  tenant: true,
};
const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]', '::1'];

/** Checks the options of a server, those of its preset included, and fills them. Throws for everything that could not be kept: what is written holds, or the server does not start. */
export function checkOptions(given: ServerOptions, preset: ServerOptions): ServerSettings {
  for (const part of [given, preset]) refuseOptions('createServer', part, known);
  const options: ServerOptions = { ...preset, ...withoutAbsent(given) };
  const { auth, hosts, origins, limits, auditLog, containStrays, telemetry, dialect, routes } = options;
  const within = telemetry?.within;
  const authenticators = auth === undefined ? [] : typeof auth === 'function' ? [auth] : auth;
  if (!Array.isArray(authenticators) || !authenticators.every((one) => typeof one === 'function')) {
    throw new ToolpactError('invalid_option', 'auth must be a function such as `apiKeys(…)`, or an array of them', { option: 'auth' });
  }
  if (auth !== undefined && authenticators.length === 0)
    throw new ToolpactError('invalid_option', 'auth is an empty array; name at least one way to authenticate', { option: 'auth' });
  const numbers = { ...defaults, ...stated(options, Object.keys(defaults) as (keyof typeof defaults)[]) };
  checkPositive(numbers);
  checkTexts('hosts', hosts);
  checkTexts('origins', origins);
  for (const host of hosts ?? []) {
    if (/[/\s]|[^:]:\d+$/.test(host))
      throw new ToolpactError('invalid_option', `hosts names "${host}"; write the host alone, without scheme and port`, {
        option: 'hosts',
      });
  }
  const isPublic = hosts?.some((host) => !isLoopbackName(host)) === true;
  if (isPublic && auth === undefined)
    throw new ToolpactError('invalid_option', 'hosts names more than this machine, so auth is needed too', { option: 'hosts' });
  for (const origin of origins ?? []) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new ToolpactError('invalid_option', `origins names "${origin}"; an origin looks like https://app.example.com`, {
        option: 'origins',
      });
    }
  }
  checkLimits(limits);
  for (const [name, value] of Object.entries({ auditLog, containStrays })) {
    if (value !== undefined && typeof value !== 'boolean')
      throw new ToolpactError('invalid_option', `${name} must be true or false`, { option: name });
  }
  checkTelemetry(telemetry);
  checkRoutes('createServer', routes);
  checkDialect(dialect);
  const dialects = readDialects('createServer', options);
  const inspector = checkInspector(options.inspector);
  return Object.freeze({ ...options, ...(within !== undefined && { within }), ...numbers, authenticators, dialects, inspector });
}

function checkDialect(dialect: ServerOptions['dialect']): void {
  if (dialect === undefined || dialect === 'outcome' || isDialect(dialect)) return;
  throw new ToolpactError('invalid_option', "dialect must be a dialect, or 'outcome'", { option: 'dialect' });
}

/** Throws for what records nothing. */
export function checkTelemetry(telemetry: unknown): void {
  if (telemetry !== undefined && typeof (telemetry as Partial<McpTelemetry> | null)?.startMcp !== 'function') {
    throw new ToolpactError('invalid_option', 'telemetry must be what `openTelemetry()` of toolpact/telemetry gives', {
      option: 'telemetry',
    });
  }
}

/** Throws for numbers that are not above 0. */
function checkPositive(numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value !== 'number' || !(value > 0))
      throw new ToolpactError('invalid_option', `${name} must be a number above 0`, { option: name });
  }
}

/** Checks whether a host name, without a port, means this machine alone. */
export function isLoopbackName(host: string): boolean {
  return loopbackNames.includes(host.toLowerCase()) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function stated<TKey extends keyof ServerOptions>(options: ServerOptions, keys: readonly TKey[]): Partial<Record<TKey, never>> {
  return Object.fromEntries(keys.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]]))) as Partial<
    Record<TKey, never>
  >;
}

function checkTexts(name: string, values: readonly string[] | undefined): void {
  if (values === undefined) return;
  if (!Array.isArray(values) || values.length === 0 || !values.every((value) => typeof value === 'string' && value !== '')) {
    throw new ToolpactError('invalid_option', `${name} must be an array of texts that is not empty`, { option: name });
  }
}

function checkLimits(limits: ServerOptions['limits']): void {
  if (limits === undefined) return;
  refuseOptions('limits', limits, { perKey: true, perTenant: true, store: true });
  const { perKey, perTenant, store } = limits;
  if (perKey === undefined && perTenant === undefined) throw new ToolpactError('invalid_option', 'limits needs perKey or perTenant');
  for (const [name, one] of Object.entries({ perKey, perTenant })) {
    if (one === undefined) continue;
    refuseOptions(`limits.${name}`, one, { limit: true, windowMs: true });
    checkPositive({ [`limits.${name}.limit`]: one.limit, [`limits.${name}.windowMs`]: one.windowMs ?? 60_000 });
  }
  if (store !== undefined && typeof store?.add !== 'function')
    throw new ToolpactError('invalid_option', 'limits.store must be a store, such as `memoryStore()`', { option: 'limits.store' });
}
