/** One thing that can be set: in the configuration file, as a flag, and as a variable of the environment. */
export interface Setting {
  readonly kind: 'text' | 'list' | 'count' | 'switch' | 'choice';
  readonly group: SettingGroup;
  /** One sentence for help and docs. */
  readonly about: string;
  readonly default?: string | number | boolean | readonly string[];
  /** Says what the default is where it is not one value. */
  readonly unset?: string;
  readonly choices?: readonly string[];
  /** The least count that makes sense. */
  readonly least?: number;
  readonly most?: number;
  /** The placeholder of the value in help. */
  readonly value?: string;
  /** Never printed. */
  readonly secret?: true;
}

/** The subject of a setting; commands take whole groups. */
export type SettingGroup = 'files' | 'calls' | 'guards' | 'telemetry' | 'server' | 'access';

/**
 * Everything that can be set. The name is that of the field in `toolpact.config.ts`; `retryAttempts` is also the flag
 * `--retry-attempts` and the variable `TOOLPACT_RETRY_ATTEMPTS`.
 */
export const settings = {
  tools: {
    kind: 'list',
    group: 'files',
    value: 'files',
    unset: 'the first of tools.ts, tools.mts, tools.js, tools.mjs, here or in src/',
    about: 'Files whose exports are the tools.',
  },
  store: {
    kind: 'text',
    group: 'files',
    value: 'where',
    default: '.toolpact/toolpact.db',
    about: 'Where calls, keys and approvals are stored: a SQLite file, a postgres:// address, or memory.',
  },
  timeoutMs: {
    kind: 'count',
    group: 'calls',
    value: 'ms',
    default: 30_000,
    least: 1,
    about: 'Deadline of a call, unless the tool sets one.',
  },
  maxResultChars: {
    kind: 'count',
    group: 'calls',
    value: 'n',
    default: 100_000,
    least: 1,
    about: 'Longer results are cut, unless the tool sets a limit. 100,000 characters are about 25,000 tokens.',
  },
  expose: {
    kind: 'choice',
    group: 'calls',
    choices: ['redacted', 'authored', 'full', 'verbatim'],
    unset: 'redacted; authored on a public address',
    about:
      'How much callers see of an error that the tool did not write with fail: its text without secrets and stack, nothing, everything but secrets, or everything.',
  },
  classify: {
    kind: 'choice',
    group: 'calls',
    choices: ['words', 'structure'],
    default: 'words',
    about: 'How errors are classified: by sentences too, or only by statuses, codes, names and causes.',
  },
  listCalls: { kind: 'switch', group: 'guards', default: true, about: 'List every call, with its arguments.' },
  retentionMs: {
    kind: 'count',
    group: 'guards',
    value: 'ms',
    default: 604_800_000,
    least: 1,
    about: 'How long calls are remembered.',
  },
  approvalExpiresMs: {
    kind: 'count',
    group: 'guards',
    value: 'ms',
    default: 3_600_000,
    least: 1,
    about: 'How long an approval can be given and used.',
  },
  webhooks: {
    kind: 'list',
    group: 'guards',
    value: 'urls',
    unset: 'nobody',
    about: 'URLs to notify of approvals, questions and decisions. Needs webhookSecret.',
  },
  webhookSecret: {
    kind: 'text',
    group: 'guards',
    value: 'text',
    unset: 'none',
    secret: true,
    about:
      'The secret that signs webhooks: whsec_ and 24 to 64 random bytes as base64. Not a flag: other users of the machine can read flags.',
  },
  webhookPage: {
    kind: 'text',
    group: 'guards',
    value: 'url',
    unset: 'no links',
    about: 'The public address of the inspector, for the links in webhooks.',
  },
  deferAfterMs: {
    kind: 'count',
    group: 'guards',
    value: 'ms',
    least: 1,
    unset: 'never',
    about: 'How long a call may take before it answers pending, unless the tool sets it.',
  },
  spill: { kind: 'switch', group: 'guards', default: true, about: 'Store large results whole, for the read_result tool.' },
  retryAttempts: {
    kind: 'count',
    group: 'guards',
    value: 'n',
    default: 3,
    least: 1,
    about: 'Maximum attempts per call, unless the tool sets it.',
  },
  repeatBreaker: { kind: 'switch', group: 'guards', default: true, about: 'Refuse a call that keeps failing in the same way.' },
  repeatRefuseAfter: {
    kind: 'count',
    group: 'guards',
    value: 'n',
    default: 3,
    least: 1,
    about: 'Number of equal failures in a row after which the call is refused.',
  },
  circuitBreaker: {
    kind: 'switch',
    group: 'guards',
    default: false,
    about: 'Stop calling a tool for a while when its backend is down.',
  },
  rateLimit: {
    kind: 'count',
    group: 'guards',
    value: 'n',
    least: 1,
    unset: 'no limit',
    about: 'Calls per minute, for each tool and tenant.',
  },
  concurrency: { kind: 'count', group: 'guards', value: 'n', least: 1, unset: 'no limit', about: 'Maximum number of concurrent calls.' },
  telemetry: {
    kind: 'switch',
    group: 'telemetry',
    default: false,
    about: 'Record calls and MCP requests with the OpenTelemetry SDK of this process.',
  },
  port: {
    kind: 'count',
    group: 'server',
    value: 'n',
    default: 8787,
    most: 65_535,
    about: 'The port to listen on; 0 for any free port. In dev, the next free one if it is taken.',
  },
  host: {
    kind: 'text',
    group: 'server',
    value: 'address',
    default: '127.0.0.1',
    about: 'The address to listen on. A public one needs apiKeys or jwtJwks.',
  },
  hosts: {
    kind: 'list',
    group: 'server',
    value: 'names',
    unset: 'this machine only',
    about: 'Host names that requests may use; * for any.',
  },
  origins: {
    kind: 'list',
    group: 'server',
    value: 'origins',
    unset: 'none',
    about: 'Origins of web pages that may call, such as https://app.example.com.',
  },
  mcp: { kind: 'switch', group: 'server', default: true, about: 'Serve MCP at /mcp.' },
  mcpLogs: {
    kind: 'switch',
    group: 'server',
    default: false,
    about: 'Also send what tools write with ctx.log to MCP clients. On by default in `toolpact dev`, and always on in `toolpact mcp`.',
  },
  openapi: { kind: 'switch', group: 'server', default: true, about: 'Serve /openapi.json.' },
  inspector: {
    kind: 'switch',
    group: 'server',
    default: false,
    about: 'Serve the inspector page at /. On by default in `toolpact dev`.',
  },
  operator: {
    kind: 'switch',
    group: 'server',
    default: false,
    about: 'Serve /operator/mcp, where a coding agent inspects calls. On by default in `toolpact dev`.',
  },
  worker: { kind: 'switch', group: 'server', default: true, about: 'Continue calls that slept, waited or lost their process.' },
  traceUrl: { kind: 'text', group: 'server', value: 'url', unset: 'no links', about: 'The link of the inspector for a {traceId}.' },
  maxBodyBytes: { kind: 'count', group: 'server', value: 'n', default: 1_048_576, least: 1, about: 'Larger bodies are refused.' },
  maxDepth: { kind: 'count', group: 'server', value: 'n', default: 64, least: 1, about: 'Bodies nested deeper are refused.' },
  maxBatch: {
    kind: 'count',
    group: 'server',
    value: 'n',
    default: 100,
    least: 1,
    about: 'Maximum number of calls in a batch, or of messages in an MCP request.',
  },
  maxTimeoutMs: {
    kind: 'count',
    group: 'server',
    value: 'ms',
    default: 600_000,
    least: 1,
    about: 'The longest deadline that a caller may set.',
  },
  dialect: {
    kind: 'choice',
    group: 'server',
    choices: ['flat', 'coded', 'value', 'status'],
    unset: 'outcomes as they are',
    about:
      'The format of every answer, with the rules of its origin: the text and the kind of errors, whole results, no refused repetitions. coded also adds the paths /api/v1/… and /health.',
  },
  drainMs: {
    kind: 'count',
    group: 'server',
    value: 'ms',
    default: 10_000,
    about: 'How long running calls may take to finish when the server stops.',
  },
  log: {
    kind: 'choice',
    group: 'server',
    choices: ['pretty', 'json', 'off'],
    unset: 'pretty in dev, json in serve',
    about: 'How calls are logged on stderr.',
  },
  apiKeys: {
    kind: 'list',
    group: 'access',
    value: 'keys',
    unset: 'none',
    secret: true,
    about:
      'API keys, each as tenant:sha256:… or, in a variable or file, tenant:key; scopes may follow after spaces. `toolpact key` creates one.',
  },
  jwtJwks: { kind: 'text', group: 'access', value: 'url', unset: 'none', about: 'Accept tokens signed by the keys at this address.' },
  jwtIssuer: { kind: 'text', group: 'access', value: 'text', unset: 'none', about: 'Required issuer of tokens. Needed with jwtJwks.' },
  jwtAudience: {
    kind: 'text',
    group: 'access',
    value: 'text',
    unset: 'none',
    about: 'Required audience of tokens. Needed with jwtJwks.',
  },
  jwtAlgorithms: {
    kind: 'list',
    group: 'access',
    value: 'names',
    default: ['RS256', 'ES256', 'EdDSA'],
    about: 'Accepted signature algorithms.',
  },
  keyLimit: { kind: 'count', group: 'access', value: 'n', least: 1, unset: 'no limit', about: 'Requests per minute for each credential.' },
  tenantLimit: { kind: 'count', group: 'access', value: 'n', least: 1, unset: 'no limit', about: 'Requests per minute for each tenant.' },
} as const satisfies Readonly<Record<string, Setting>>;

/** Names a setting. */
export type SettingName = keyof typeof settings;

type Row<TName extends SettingName> = (typeof settings)[TName];
type Written<TRow> = TRow extends { readonly kind: 'switch' }
  ? boolean
  : TRow extends { readonly kind: 'count' }
    ? number
    : TRow extends { readonly choices: readonly (infer TChoice)[] }
      ? TChoice
      : string;

/** The value of a setting once everything is read; undefined only for those without a default. */
export type SettingValue<TName extends SettingName> =
  Row<TName> extends { readonly kind: 'list' }
    ? readonly string[] | undefined
    : Row<TName> extends { readonly default: unknown }
      ? Written<Row<TName>>
      : Written<Row<TName>> | undefined;

/** The fields of `toolpact.config.ts`. Every field is also a flag and a variable of the environment. */
export type ToolpactConfig = {
  readonly [TName in SettingName]?:
    | (Row<TName> extends { readonly kind: 'list' } ? string | readonly string[] : Written<Row<TName>>)
    | undefined;
};

/** All names, in the order of help and docs. */
export const settingNames = Object.keys(settings) as SettingName[];

/** Returns the row of a setting. */
export function settingOf(name: SettingName): Setting {
  return settings[name];
}

/** `retryAttempts` → `retry-attempts`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `retryAttempts` → `TOOLPACT_RETRY_ATTEMPTS`. */
export function variableOf(name: string): string {
  return `TOOLPACT_${flagOf(name).replaceAll('-', '_').toUpperCase()}`;
}
