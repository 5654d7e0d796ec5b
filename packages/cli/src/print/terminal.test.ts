import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createPaint, createTerminal, plain, shortLine } from './terminal.ts';

test.each([
  ['a terminal', true, {}, false, true],
  ['a pipe', false, {}, false, false],
  ['NO_COLOR', true, { NO_COLOR: '1' }, false, false],
  ['an empty NO_COLOR', true, { NO_COLOR: '' }, false, true],
  ['CI', true, { CI: 'true' }, false, false],
  ['FORCE_COLOR in a pipe', false, { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR and NO_COLOR', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false, false],
  ['FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false, false],
  ['a dumb terminal', true, { TERM: 'dumb' }, false, false],
  ['--no-color', true, { FORCE_COLOR: '1' }, true, false],
])('%s decides about colours', (_, isTerminal, env, refused, coloured) => {
  expect(createPaint(isTerminal, env, refused)('bad', 'x')).toBe(coloured ? '\u001b[31mx\u001b[39m' : 'x');
});

test.each([
  [['call', 'add'], '\u001b[31mx\u001b[39m', false],
  [['call', 'add', '--no-color'], 'x', false],
  [['--verbose', 'call', 'add'], '\u001b[31mx\u001b[39m', true],
])('%j decides about colours and details, and results go to stdout', async (argv, painted, verbose) => {
  const stdout = new PassThrough();
  const terminal = createTerminal(argv, {
    stdout,
    say: () => undefined,
    stdin: new PassThrough(),
    env: {},
    cwd: '/',
    signals: new EventEmitter(),
    exit: () => undefined,
    isTTY: { stdout: false, stderr: true },
  });
  await terminal.out('result');
  stdout.end();
  expect([terminal.paint('bad', 'x'), terminal.outPaint('bad', 'x'), terminal.verbose, await text(stdout)]).toEqual([
    painted,
    'x',
    verbose,
    'result',
  ]);
});

test('text from elsewhere cannot move the cursor', () => {
  expect(plain('a\u001b[31mb\u0007c\r\nd\te\u009b2J')).toBe('a[31mbc\nd\te2J');
});

test.each([
  ['short\nenough', 'short enough'],
  ['one two three', 'one two…'],
  [`one ${'x'.repeat(40)}`, 'one…'],
  ['abcdefghijk\u{1f600}', 'abcdefghijk…'],
])('%j is cut to %j', (text, line) => {
  expect(shortLine(text, 12)).toBe(line);
});

test('what has no words is cut where it has to be', () => {
  expect(shortLine(`{"a": "${'x'.repeat(60)}"}`, 40)).toBe(`{"a": "${'x'.repeat(33)}…`);
});
