import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../proofs/fixtures/property-runs.ts';
import { createRedactor, defaultRedactor } from './redact.ts';

const { text, value, endpoint } = defaultRedactor;
// Made of parts, so that no scanner takes this file for a leak.
const hex = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const mixed = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5';
const jwt = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0In0'}.${mixed}`;
const pem = (kind: string) => `-----BEGIN ${kind}PRIVATE KEY-----\nMIIEvQIBADANBgkq\n${mixed}\n-----END ${kind}PRIVATE KEY-----`;

describe('text hides', () => {
  it.each([
    [
      'an OpenAI key',
      `Incorrect API key provided: sk-${mixed}. You can find it at`,
      'Incorrect API key provided: [redacted]. You can find it at',
    ],
    ['an OpenAI project key', `key sk-proj-${mixed} is revoked`, 'key [redacted] is revoked'],
    ['an Anthropic key', `sk-ant-api03-${mixed}`, '[redacted]'],
    ['a Stripe secret key', `using sk_live_${mixed}`, 'using [redacted]'],
    ['a Stripe restricted key', `using rk_live_${mixed}`, 'using [redacted]'],
    ['a Stripe publishable key', `using pk_live_${mixed}`, 'using [redacted]'],
    ['a GitHub token', `ghp_${mixed} lacks scope`, '[redacted] lacks scope'],
    ['a GitHub OAuth token', `gho_${mixed}`, '[redacted]'],
    ['a fine-grained GitHub token', `github_pat_11AAAA_${mixed}`, '[redacted]'],
    ['a GitLab token', `glpat-${mixed}`, '[redacted]'],
    ['a Slack token', 'xoxb-123456789012-abcdef', '[redacted]'],
    ['an AWS key id', 'The key AKIAIOSFODNN7EXAMPLE does not exist', 'The key [redacted] does not exist'],
    ['a temporary AWS key id', 'ASIAIOSFODNN7EXAMPLE', '[redacted]'],
    ['a Google key', `API key AIza${mixed} not valid`, 'API key [redacted] not valid'],
    ['an npm token', `npm_${mixed}`, '[redacted]'],
    ['a Hugging Face token', `hf_${mixed}`, '[redacted]'],
    ['a Groq key', `gsk_${mixed}`, '[redacted]'],
    ['a SendGrid key', `SG.${hex}.${mixed}`, '[redacted]'],
    ['a Mailgun key', `key-${hex}`, '[redacted]'],
    ['a Google OAuth token', `ya29.${mixed}`, '[redacted]'],
    ['a Google client secret', `client GOCSPX-${mixed} is unknown`, 'client [redacted] is unknown'],
    ['an xAI key', `xai-${mixed}`, '[redacted]'],
    ['a Perplexity key', `pplx-${mixed}`, '[redacted]'],
    ['an NVIDIA key', `nvapi-${mixed}`, '[redacted]'],
    ['a Tavily key', `tvly-dev-${mixed}`, '[redacted]'],
    ['a Replicate token', `r8_${mixed}`, '[redacted]'],
    ['a Slack app token', `xapp-1-A0-${mixed}`, '[redacted]'],
    ['a Stripe webhook secret', `whsec_${mixed}`, '[redacted]'],
    ['a DigitalOcean token', `dop_v1_${hex}${hex}`, '[redacted]'],
    ['a Shopify token', `shpat_${hex}`, '[redacted]'],
    ['a Sentry token', `sntrys_${mixed}`, '[redacted]'],
    ['a Linear key', `lin_api_${mixed}`, '[redacted]'],
    ['a Supabase key', `sb_secret_${mixed} and sbp_${hex}`, '[redacted] and [redacted]'],
    ['a Notion token', `ntn_${mixed}`, '[redacted]'],
    ['a PyPI token', `pypi-AgEI${mixed}`, '[redacted]'],
    ['a GitLab runner token', `glrt-${mixed}`, '[redacted]'],
    ['a Grafana token', `glsa_${mixed} or glc_${mixed}`, '[redacted] or [redacted]'],
    ['a Vault token', `hvs.${mixed}`, '[redacted]'],
    ['a Postman key', `PMAK-${hex}-${hex}`, '[redacted]'],
    ['a New Relic key', `NRAK-${mixed}`, '[redacted]'],
    ['an Atlassian token', `ATATT3xFfGF0${mixed}=A1B2`, '[redacted]'],
    ['a Databricks token', `dapi${hex}`, '[redacted]'],
    ['a subscription key', 'Ocp-Apim-Subscription-Key: abc123', 'Ocp-Apim-Subscription-Key: [redacted]'],
    ['a functions key', 'x-functions-key: abc123', 'x-functions-key: [redacted]'],
    ['a signature', `X-Amz-Signature=${hex}&x=1`, 'X-Amz-Signature=[redacted]&x=1'],
    [
      'a Telegram bot token',
      'POST https://api.telegram.org/bot123456789:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQr/send',
      'POST https://api.telegram.org/bot123456789:[redacted]/send',
    ],
    ['a Slack webhook', 'https://hooks.slack.com/services/T000/B000/XXXXYYYY', 'https://hooks.slack.com/services/[redacted]'],
    ['a bearer token', 'sent Bearer abc.def-123 to it', 'sent Bearer [redacted] to it'],
    ['a short bearer token', 'bearer swordfish', 'bearer [redacted]'],
    ['a named bearer token', 'Bearer token: swordfish', 'Bearer token: [redacted]'],
    ['basic credentials', 'Basic dXNlcjpwYXNz', 'Basic [redacted]'],
    ['an authorization header', 'Authorization: Bearer abc123 was refused', 'Authorization: [redacted] was refused'],
    ['an authorization header without scheme', 'authorization: abc123', 'authorization: [redacted]'],
    ['an authorization header in JSON', '{"Authorization":"Bearer abc\\"123","x":1}', '{"Authorization":"[redacted]","x":1}'],
    [
      'a signed authorization header',
      `Authorization: AWS4-HMAC-SHA256 Credential=A/b, SignedHeaders=host, Signature=${hex}`,
      'Authorization: [redacted]',
    ],
    ['cookies', 'Cookie: sid=abc; theme=dark\nHost: a', 'Cookie: [redacted]\nHost: a'],
    ['set cookies', 'Set-Cookie: sid=abc; Path=/; Expires=Wed, 21 Oct', 'Set-Cookie: [redacted]'],
    ['cookies in an inspected object', "{ cookie: 'sid=abc; b=c', host: 'a' }", "{ cookie: '[redacted]', host: 'a' }"],
    ['credentials in a URL', 'GET https://bob:hunter2@example.com/a failed', 'GET https://[redacted]@example.com/a failed'],
    ['a token as user name', `https://${hex}@example.com/a`, 'https://[redacted]@example.com/a'],
    ['a password with unescaped signs in a URL', 'https://bob:hun/ter#2@example.com/a', 'https://[redacted]@example.com/a'],
    ['the query of a URL', 'GET https://example.com/a?q=1&key=abc#x, then', 'GET https://example.com/a, then'],
    ['the query of a URL in brackets', '(https://example.com/a?key=abc).', '(https://example.com/a).'],
    ['the fragment of a URL', 'https://example.com/#access_token=abc', 'https://example.com/'],
    ['a secret query parameter without a host', 'GET /v1/x?api_key=abc123&page=2', 'GET /v1/x?api_key=[redacted]&page=2'],
    ['a PostgreSQL address', 'postgres://bob:p@ss/word@db:5432/app?sslmode=require', 'postgres://[redacted]@db:5432/app'],
    ['a MongoDB address', 'mongodb+srv://bob:hunter2@c0.x.net/app', 'mongodb+srv://[redacted]@c0.x.net/app'],
    ['a Redis address', 'redis://:hunter2@cache:6379/0', 'redis://[redacted]@cache:6379/0'],
    ['credentials in the address of a file', 'file://bob:hunter2@nas/share/lib@1.0.0/a.js', 'file://[redacted]@nas/share/lib@1.0.0/a.js'],
    ['a password with a slash in the address of a file', 'file://bob:hun/ter2@nas/share', 'file://[redacted]@nas/share'],
    ['credentials after an empty authority', 'postgres:///bob:hunter2@db/app', 'postgres://[redacted]@db/app'],
    ['an AMQP address', 'amqp://bob:hunter2@mq', 'amqp://[redacted]@mq'],
    ['a Go database address', 'dial root:hunter2@tcp(127.0.0.1:3306)/app', 'dial [redacted]@tcp(127.0.0.1:3306)/app'],
    ['an address without a scheme', 'connect bob:hunter2@db.internal:5432', 'connect [redacted]@db.internal:5432'],
    ['a connection string', 'Server=db;User Id=sa;Password=p@ss,w;Database=x', 'Server=db;User Id=sa;Password=[redacted];Database=x'],
    [
      'an Azure connection string',
      `AccountName=a;AccountKey=${mixed}==;EndpointSuffix=b`,
      'AccountName=a;AccountKey=[redacted];EndpointSuffix=b',
    ],
    ['a JSON web token', `jwt ${jwt} expired`, 'jwt [redacted] expired'],
    ['a private key', `a ${pem('')} b`, 'a [redacted] b'],
    ['an RSA private key', `a ${pem('RSA ')} b`, 'a [redacted] b'],
    ['a truncated private key', `a ${pem('EC ').slice(0, 60)}`, 'a [redacted]'],
    ['a private key in JSON', JSON.stringify({ k: pem('') }), '{"k":"[redacted]"}'],
    ['a password', 'password=hunter2', 'password=[redacted]'],
    ['a password as a plain word', 'password: swordfish', 'password: [redacted]'],
    [
      'a password that begins like a sentence',
      'password: canoe7 pwd: failover2 token: youth3',
      'password: [redacted] pwd: [redacted] token: [redacted]',
    ],
    ['a password of digits', 'password: 123456', 'password: [redacted]'],
    ['a password on the command line', 'mysql --password hunter2 -h db', 'mysql --password [redacted] -h db'],
    ['an environment variable', 'DB_PASSWORD=hunter2 node x', 'DB_PASSWORD=[redacted] node x'],
    ['an inspected login', "auth: { user: 'bob', pass: 'hunter2' }", "auth: { user: 'bob', pass: '[redacted]' }"],
    ['a key in JSON', '{"api_key": "abc", "n": 1}', '{"api_key": "[redacted]", "n": 1}'],
    ['a key in escaped JSON', '{\\"api_key\\":\\"abc\\",\\"n\\":1}', '{\\"api_key\\":\\"[redacted]\\",\\"n\\":1}'],
    ['a key in cut-off JSON', '{"apiKey": "abcdef', '{"apiKey": "[redacted]'],
    ['a key in XML', '<token>abc123</token>', '<token>[redacted]</token>'],
    ['a key header', 'x-api-key: abc123', 'x-api-key: [redacted]'],
    ['a token', 'token: abc123.', 'token: [redacted].'],
    ['an AWS secret key', 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'aws_secret_access_key = [redacted]'],
    ['a long value beside a secret name', `invalid token ${hex} given`, 'invalid token [redacted] given'],
    ['a value that was provided', 'Incorrect API key provided: abcd1234.', 'Incorrect API key provided: [redacted].'],
    ['two secrets', 'password=a token=b', 'password=[redacted] token=[redacted]'],
  ])('%s', (_, raw, clean) => {
    expect(text(raw)).toBe(clean);
    expect(text(clean)).toBe(clean);
  });
});

describe('text leaves', () => {
  it.each([
    'token limit exceeded',
    'Requested tokens: 5000, max_tokens: 4096',
    'max token: 4096',
    'the password is wrong',
    'password: must be at least 8 characters',
    'password: Required',
    'password: cannot be empty',
    'token: failed',
    'token: failure to refresh',
    'secret: your own',
    'Invalid token: expired',
    'API key: not set',
    'Bearer authentication required',
    'use the bearer authorization method, autoRefreshToken: false',
    'WWW-Authenticate: Bearer realm="api", error="invalid_token"',
    'Basic understanding of the Basic plan',
    'Authorization: header missing',
    'Cookie: missing',
    'Unexpected token \'h\', "hello" is not valid JSON',
    'Unexpected token } in JSON at position 5',
    'document 5aa31da6-9278-4da0-9f1a-61b8d3edc5cc was not found',
    `commit ${hex}01234567 is not on main`,
    'order 4111222233334444555 at 12:34:56.123456',
    'model claude-sonnet-4-5-20250929 or gpt-4.1-mini-2025-04-14 is overloaded',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'see https://example.com/docs/@scope/pkg for help',
    'at boom (file:///app/node_modules/.pnpm/lib@1.0.0/node_modules/lib/index.js:1:41)',
    'at boom (file:///C:/app/node_modules/@scope/lib/index.js:1:41)',
    'at boom (file://C:/app/node_modules/@scope/lib/index.js:1:41)',
    'at boom (file://nas/share/node_modules/@scope/lib/index.js:1:41)',
    'at boom (webpack://app/./node_modules/.pnpm/lib@1.0.0/index.js:1:41)',
    'at boom (webpack-internal:///(rsc)/./node_modules/@scope/lib/index.js:1:41)',
    'at boom (vscode-file://vscode-app/opt/node_modules/@scope/lib/index.js:1:41)',
    'at boom (http://localhost:5173/@fs/app/node_modules/.pnpm/lib@1.0.0/index.js:1:41)',
    'at boom (https://deno.land/std@0.224.0/assert/equals.ts:1:41)',
    'at boom (/app/node_modules/.pnpm/@scope+lib@1.0.0_peer@2.0.0/node_modules/@scope/lib/index.js:1:41)',
    'at async boom (C:\\app\\node_modules\\.pnpm\\lib@1.0.0\\node_modules\\@scope\\lib\\index.js:1:41)',
    's3://pictures/logo@2x.png was not found',
    'mail joe@example.com or cc:joe@example.com',
    'duplicate key value violates unique constraint "pk_users_email_constraint"',
    'duplicate key: id',
    'npm_config_registry_is_not_a_token is unset',
    'request req_011CSHoEeqs5C35K2UUqR7Fy, chatcmpl-9aBcD3fGh1jKlMn0pQrStUvWxYz, toolu_01A09q90qw90lq917835lq9',
    'glob-patterns-are-not-supported-here in pypi-attestations-are-not-found',
    'the signature does not match',
    'cursor eyJpZCI6MTIzNDU2Nzg5MCwibiI6MX0 is stale',
    'secretary: tokenizer: passwordless: cookies',
    'npm:typescript@5.1.0',
    'Fehler: Zeitüberschreitung nach 30 s — «später» erneut versuchen 東京',
    '',
  ])('%j', (raw) => {
    expect(text(raw)).toBe(raw);
  });
});

describe('text', () => {
  it('hides what the caller names, with and without a global flag', () => {
    const redactor = createRedactor({ patterns: [/cust-\d+/, /INT-\w/gi] });
    expect(redactor.text('cust-1 and cust-2 in int-a')).toBe('[redacted] and [redacted] in [redacted]');
    expect(redactor.text('cust-1')).toBe('[redacted]');
  });

  it('hides the login of an address and keeps its path, whatever both hold', () => {
    const scheme = fc.constantFrom('https', 'wss', 'file', 'webpack', 'webpack-internal', 'vscode-file', 's3', 'gs');
    const segment = fc.constantFrom('node_modules', 'lib@1.0.0', '@scope', '.pnpm', 'a.js:1:41', '(rsc)');
    const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
    const login = fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[\w%!$&()*+,;=.~-]{4,20}$/));
    fc.assert(
      fc.property(scheme, login, path, (name, [user, password], rest) => {
        expect(text(`at ${name}://${user}:${password}@host${rest} x`)).toBe(`at ${name}://[redacted]@host${rest} x`);
        expect(text(`at ${name}://${rest} x`)).toBe(`at ${name}://${rest} x`);
        expect(text(`at ${name}://host${rest} x`)).toBe(`at ${name}://host${rest} x`);
      }),
    );
  });

  it('answers for anything and changes nothing twice', () => {
    const piece = fc.constantFrom(
      'password',
      'Bearer ',
      ': ',
      '="',
      "'",
      '\\"',
      '://',
      '@',
      '?',
      'sk-',
      'eyJ',
      '.',
      '-----BEGIN PRIVATE KEY',
      ' ',
      'Cookie',
      'x1Y2',
      '[redacted]',
      '\n',
      '(',
      ')',
      '[',
      ']',
      ' => ',
      '<password>',
      '</',
      '|\n  ',
      'value',
      'Some(',
      '{',
      ',',
      'is',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
        const once = text(pieces.join(''));
        expect(typeof once).toBe('string');
        expect(text(once)).toBe(once);
      }),
    );
    expect(text(undefined as unknown as string)).toBeTypeOf('string');
    expect(text({ toString: () => assert() } as unknown as string)).toBe('[redacted]');
  });

  it('tries every rule that could match', () => {
    // This end makes a text worth every rule, so a secret that the cheap questions overlook would show.
    const end = '\n--- a://b _aaaaaaaaaaaa';
    const piece = fc.constantFrom(
      'password',
      'api key',
      'pwd',
      'Bearer',
      'basic',
      'sig',
      'pass',
      'cookie',
      'authorization',
      'is',
      'provided',
      ' ',
      ':',
      '=',
      '>',
      '@',
      '.',
      '-',
      '--',
      '_',
      'x1Y2',
      mixed,
      'sk-',
      'ghp_',
      'eyJ',
      'AKIA',
      '12',
      ':33',
      'tcp(',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const raw = pieces.join('');
        expect(`${text(raw)}${end}`).toBe(text(`${raw}${end}`));
      }),
      propertyRuns(5_000),
    );
  });

  // A rule that is not linear would not come back from these within the test's time.
  it.each([
    'a',
    ' ',
    '-',
    '.',
    ':',
    '"',
    '\\',
    ')',
    '@',
    'token ',
    'token=',
    'password="',
    'eyJa-',
    'eyJaaaaaaaaa.',
    'sk-',
    'SG.',
    'xai-',
    'hvs.a',
    'glsa_xapp-',
    'ATATT',
    '://',
    '://a:',
    'a@',
    'Bearer ',
    'basic ',
    'Cookie: ',
    'Authorization: ',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----END ',
    '--',
    'api key ',
    '?',
    '1:',
    'password: (',
    'password: Some(',
    'password: [ "is ',
    'password: |\n  ',
    'password: |\\n  ',
    'password => ',
    '[password] => ',
    '[password] =>  ',
    '["password"]=> string(1) ',
    '<password ',
    '<password>',
    '<password>a',
    '<key>password</key><a>',
    '<![CDATA[',
    '<password><![CDATA[]',
    'name: password\n value ',
    'password a=b ',
    'password, a:1,',
    'password\n\n',
    '{password,',
    "'password','",
    'login password ',
    'password ',
    ' -password ',
    "name: 'auth', args: [",
    'AUTH PLAIN ',
    'v4.local.',
    'dp.st.',
    'pi_aaaaaaaa_secret_',
    'aaaa_aaaaaaaa_',
    '_',
    'M.',
    '_sk-',
    'password=a&',
    'password=a;b ',
    "password=a'a",
    "password='a''",
    'api key is ',
    '%22password%22',
    '[[[[',
    'password: a(((((',
  ])('comes back from a megabyte of %j', (part) => {
    const raw = part.repeat(Math.ceil(1_000_000 / part.length));
    expect(text(raw)).toBeTypeOf('string');
    expect(text(`token: ${raw}`)).toBeTypeOf('string');
  });

  it('cuts nothing off a long text', () => {
    const filler = 'lorem ipsum '.repeat(100_000);
    expect(text(`${filler}password=hunter2 ${filler}`)).toBe(`${filler}password=[redacted] ${filler}`);
  });
});

describe('value', () => {
  it.each([1980, 1990, 1999, 2000])('leaves no half of a secret where a text is cut (%i characters before it)', (before) => {
    expect(JSON.stringify(value({ note: `${'x'.repeat(before)} sk-${mixed}` }))).not.toMatch(/sk-|aB3/);
  });

  it('shows no part of an address that was cut before its login ended, whatever was hidden before it', () => {
    const password = 'Hunter2-Swordfish-99x';
    const hiddenBefore = `password="${'y'.repeat(1_900)}" token="${'z'.repeat(1_000)}"`;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_600 }), fc.constantFrom(' ', '\n', '"', 'x '), (length, end) => {
        const filler = 'lorem ipsum '.repeat(300).slice(0, length);
        const raw = `${hiddenBefore} ${filler}${end}postgres://bob:${password}@db.example.com/app ${'more '.repeat(1_000)}`;
        expect(JSON.stringify(value(raw))).not.toMatch(/Hunter2|Swordfish|fish-99x/);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    'password',
    'Password',
    'db_password',
    'passwd',
    'secret',
    'client_secret',
    'clientSecrets',
    'token',
    'access_token',
    'refreshToken',
    'x-api-key',
    'apiKey',
    'API_KEY',
    'authorization',
    'Cookie',
    'set-cookie',
    'credential',
    'credentials',
    'private_key',
    'auth',
    'passphrase',
    'sessionToken',
    'pin',
    'aws_secret_access_key',
  ])('hides what %s holds', (key) => {
    expect(value({ [key]: 'abc', deep: [{ [key]: { a: 1 } }] })).toEqual({ [key]: '[redacted]', deep: [{ [key]: '[redacted]' }] });
  });

  it.each(['max_tokens', 'author', 'keyword', 'nextPageToken', 'sessionId', 'bypass', 'spinner', 'monkey'])(
    'shows what %s holds',
    (key) => {
      expect(value({ [key]: 'abc' })).toEqual({ [key]: 'abc' });
    },
  );

  it('shows that a secret is missing', () => {
    expect(value({ token: null, secret: undefined, password: '', apiKey: false })).toEqual({
      token: null,
      secret: null,
      password: '',
      apiKey: false,
    });
  });

  it('hides what the caller names', () => {
    const redactor = createRedactor({ keys: ['Tax-ID'], paths: ['user.name', 'list.*.a', 'any.**.x', 'we+ird'] });
    const item = {
      taxId: 1,
      user: { name: 'b', age: 3 },
      list: [{ a: 1, b: 2 }],
      any: { x: 1, deep: { er: { x: 2, y: 3 } } },
      'we+ird': 4,
      name: 'c',
    };
    expect(redactor.value(item)).toEqual({
      taxId: '[redacted]',
      user: { name: '[redacted]', age: 3 },
      list: [{ a: '[redacted]', b: 2 }],
      any: { x: '[redacted]', deep: { er: { x: '[redacted]', y: 3 } } },
      'we+ird': '[redacted]',
      name: 'c',
    });
  });

  it.each<[string, unknown, unknown]>([
    ['undefined', undefined, null],
    ['a number that JSON lacks', Number.NaN, 'NaN'],
    ['a big integer', 12n, '12'],
    ['a symbol', Symbol('a'), 'Symbol(a)'],
    ['a function', () => 1, '[function]'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(Number.NaN), '[unreadable]'],
    [
      'a map',
      new Map<unknown, unknown>([
        ['a', 1],
        ['token', 'x'],
        [{}, 2],
      ]),
      { a: 1, token: '[redacted]', '[object]': 2 },
    ],
    ['a set', new Set(['a', 'password=b']), ['a', 'password=[redacted]']],
    ['bytes', new Uint8Array(3), '[3 bytes]'],
    ['a URL', new URL('https://a:b@c.de/f?g=h'), 'https://[redacted]@c.de/f'],
    [
      'an error',
      Object.assign(new Error('password=a', { cause: 'b' }), { code: 'E' }),
      { name: 'Error', message: 'password=[redacted]', cause: 'b', code: 'E' },
    ],
    ['a secret used as a key', { [`sk-${mixed}`]: 1 }, { '[redacted]': 1 }],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['an own __proto__', JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ])('copies %s', (_, item, copy) => {
    expect(value(item)).toEqual(copy);
  });

  it('survives what cannot be read', () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const throwing = new Proxy({}, { ownKeys: () => assert(), get: () => assert(), getPrototypeOf: () => assert() });
    const item = {
      get bad() {
        return assert();
      },
      good: 1,
      throwing,
      revoked: revoked.proxy,
    };
    expect(value(item)).toEqual({ bad: '[unreadable]', good: 1, throwing: '[unreadable]', revoked: '[unreadable]' });
    expect(value(throwing)).toBe('[unreadable]');
  });

  it('marks cycles but not repeats', () => {
    const shared = { a: 1 };
    const item = { one: shared, two: shared, self: {} };
    item.self = item;
    expect(value(item)).toEqual({ one: { a: 1 }, two: { a: 1 }, self: '[circular]' });
  });

  it('takes time in proportion to a text, also where an address has no end of colons', () => {
    const before = process.cpuUsage().user;
    text(`https://${':a'.repeat(100_000)}@x`);
    // One pass takes some 10 ms of processor; a pass per colon took 16 seconds.
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
  });

  it('stays small', () => {
    class Endless extends Map<unknown, unknown> {
      override *[Symbol.iterator](): MapIterator<[unknown, unknown]> {
        for (let n = 0; ; n += 1) yield [n, n];
      }
    }
    let deep: unknown = 1;
    for (let step = 0; step < 1_000; step += 1) deep = { deep };
    let wide: unknown = 'x'.repeat(5_000);
    for (let step = 0; step < 6; step += 1) wide = Array(150).fill(wide);
    expect(JSON.stringify(value(deep))).toBe(`${'{"deep":'.repeat(8)}"[…]"${'}'.repeat(8)}`);
    expect(JSON.stringify(value(wide)).length).toBeLessThan(15_000_000);
    expect(value(Array(1e9))).toHaveLength(201);
    expect(value(new Endless())).toMatchObject({ '…': '[more]' });
    expect(Object.keys(value(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`k${n}`, n]))) as object)).toHaveLength(201);
  });

  it('cuts long strings, and never inside a secret', () => {
    expect(value('x'.repeat(3_000))).toBe(`${'x'.repeat(2_000)}…`);
    expect(value(`${'x '.repeat(995)}password=${mixed}${' x'.repeat(500)}`)).not.toContain(mixed.slice(0, 3));
  });

  it('gives JSON for anything', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withNullPrototype: true,
          withTypedArray: true,
          withSparseArray: true,
        }),
        (item) => {
          const copy = value(item);
          expect(JSON.parse(JSON.stringify(copy))).toEqual(copy);
        },
      ),
    );
  });
});

describe('endpoint', () => {
  it.each([
    ['https://bob:hunter2@api.example.com:8443/v1/x?key=1#y', 'https://api.example.com:8443/v1/x'],
    ['https://api.example.com', 'https://api.example.com'],
    ['db.internal:5432', 'db.internal:5432'],
    ['localhost', 'localhost'],
    ['127.0.0.1:80', '127.0.0.1:80'],
    ['http://[::1]:80/a', 'http://[::1]:80/a'],
    ['bob:hunter2@db.internal:5432', 'db.internal:5432'],
    ['api.example.com/v1?key=1', 'api.example.com/v1'],
    ['postgres://bob:hunter2@db/app?sslmode=x', 'postgres://db/app'],
    ['jdbc:sqlserver://db:1433;user=sa;password=x', 'jdbc:sqlserver://db:1433'],
    ['mongodb://a:b@h1:27017,h2:27017/app', 'mongodb://h1:27017,h2:27017/app'],
    [`https://a.example/sk-${mixed}/x`, 'https://a.example/[redacted]/x'],
    ['http://münchen.example/ä', 'http://münchen.example/ä'],
    ['https://bob:hun/ter2@a.example/', undefined],
    ['file:///etc/passwd', undefined],
    ['/v1/x', undefined],
    ['hello', undefined],
    ['not a url at all.', undefined],
    ['https://', undefined],
    ['', undefined],
  ])('%j becomes %j', (raw, clean) => {
    expect(endpoint(raw)).toBe(clean);
  });

  it('answers for anything', () => {
    expect(endpoint(undefined as unknown as string)).toBeUndefined();
    expect(endpoint(`https://${'a,'.repeat(500_000)}`)).toBeTypeOf('undefined');
    fc.assert(fc.property(fc.string(), (raw) => !`${endpoint(raw)}`.includes('?')));
  });
});

function assert(): never {
  throw new Error('read');
}
