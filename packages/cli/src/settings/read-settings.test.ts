import { describe, expect, test } from 'vitest';
import { readSettings, type Written } from './read-settings.ts';
import { flagOf, settingNames, settings, variableOf } from './settings.ts';

const nothing: Written = { flags: new Map(), env: {} };
const inFile = (config: Record<string, unknown>): Written => ({ ...nothing, file: { path: 'toolpact.config.ts', config } });
const messageOf = (written: Written): string => {
  try {
    readSettings(written);
    return 'nothing was wrong';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('where a setting comes from', () => {
  const flags = new Map([['port', '1001']] as const);
  const env = { TOOLPACT_PORT: '1002' };
  const file = { path: 'toolpact.config.ts', config: { port: 1003 } };
  test.each([
    ['a flag counts before everything', { flags, env, file }, 1001, 'flag'],
    ['a variable counts before the file', { ...nothing, env, file }, 1002, 'variable'],
    ['the file counts before the default', { ...nothing, file }, 1003, 'file'],
    ['the default counts when nothing is stated', nothing, 8787, undefined],
    ['an empty variable is no variable', { ...nothing, env: { TOOLPACT_PORT: '' }, file }, 1003, 'file'],
  ] as const)('%s', (_, written, port, source) => {
    const read = readSettings(written);
    expect(read.port).toBe(port);
    expect(read.setBy.get('port')).toBe(source);
  });
});

test.each([
  ['a text', { TOOLPACT_HOST: 'localhost' }, { host: 'localhost' }],
  ['a list', { TOOLPACT_HOSTS: 'a.example, b.example' }, { hosts: ['a.example', 'b.example'] }],
  ['a count', { TOOLPACT_RETENTION_MS: '86_400_000' }, { retentionMs: 86_400_000 }],
  ['a switch', { TOOLPACT_LIST_CALLS: 'off', TOOLPACT_CIRCUIT_BREAKER: '1' }, { listCalls: false, circuitBreaker: true }],
  ['a choice', { TOOLPACT_LOG: 'json' }, { log: 'json' }],
])('variables can hold %s', (_, env, expected) => {
  expect(readSettings({ ...nothing, env })).toMatchObject(expected);
});

describe('what is wrong is said', () => {
  test.each([
    ['an unknown field', inFile({ prot: 1 }), 'toolpact.config.ts has the unknown field "prot". Did you mean port?'],
    [
      'an unknown variable',
      { ...nothing, env: { TOOLPACT_API_KEYZ: 'x' } },
      'The variable TOOLPACT_API_KEYZ is not known. Did you mean TOOLPACT_API_KEYS?',
    ],
    [
      'a port that is none',
      { ...nothing, flags: new Map([['port', 'http']] as const) },
      '--port must be a whole number from 0 to 65535, not "http".',
    ],
    ['a port that is too large', inFile({ port: 70_000 }), 'port in toolpact.config.ts must be a whole number from 0 to 65535, not 70000.'],
    [
      'a count that is too small',
      { ...nothing, env: { TOOLPACT_RETRY_ATTEMPTS: '0' } },
      'TOOLPACT_RETRY_ATTEMPTS must be a whole number from 1, not "0".',
    ],
    ['a switch that is none', { ...nothing, env: { TOOLPACT_MCP: 'maybe' } }, 'TOOLPACT_MCP must be true or false, not "maybe".'],
    ['a choice that is not offered', inFile({ log: 'xml' }), 'log in toolpact.config.ts must be one of pretty, json, off, not "xml".'],
    [
      'a field of the wrong type',
      inFile({ tools: 7 }),
      'tools in toolpact.config.ts must be one or more texts, separated by commas, not 7.',
    ],
    ['a function', inFile({ host: () => 'x' }), 'host in toolpact.config.ts must be a text that is not empty, not a function.'],
    [
      'what another place overrules',
      { ...inFile({ port: 'x' }), flags: new Map([['port', '1']] as const) },
      'port in toolpact.config.ts must be a whole number from 0 to 65535, not "x".',
    ],
    [
      'a secret, which is not shown',
      inFile({ apiKeys: { secret: 'hunter2' } }),
      'apiKeys in toolpact.config.ts must be one or more texts, separated by commas.',
    ],
  ])('%s', (_, written, message) => expect(messageOf(written as Written)).toBe(message));

  test('a key in a flag, because others can read flags; the key is not shown', () => {
    const flags = new Map([['apiKeys', 'acme:hunter2hunter2hunter2hunter2']] as const);
    expect(messageOf({ ...nothing, flags })).toBe('--api-keys takes hashes only, because other users of this machine can read flags.');
    const hashed = new Map([['apiKeys', `acme:sha256:${'ab'.repeat(32)}`]] as const);
    expect(readSettings({ ...nothing, flags: hashed }).apiKeys).toEqual([`acme:sha256:${'ab'.repeat(32)}`]);
  });
});

describe('the table', () => {
  test.each([
    ['port', 'port', 'TOOLPACT_PORT'],
    ['retryAttempts', 'retry-attempts', 'TOOLPACT_RETRY_ATTEMPTS'],
    ['maxBodyBytes', 'max-body-bytes', 'TOOLPACT_MAX_BODY_BYTES'],
  ])('%s is also --%s and %s', (name, flag, variable) => {
    expect([flagOf(name), variableOf(name)]).toEqual([flag, variable]);
  });

  test.each(settingNames)('%s has a default that its own kind accepts, or says what happens without', (name) => {
    const setting: { default?: unknown; unset?: string } = settings[name];
    if (setting.default === undefined) expect(setting.unset).toBeTypeOf('string');
    else expect(readSettings(inFile({ [name]: setting.default }))[name]).toEqual(setting.default);
  });
});
