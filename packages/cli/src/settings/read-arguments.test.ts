import { expect, test } from 'vitest';
import { readArguments } from './read-arguments.ts';

const known = new Map([
  ['port', { kind: 'count' }],
  ['list-calls', { kind: 'switch' }],
  ['store', { kind: 'text' }],
  ['tool', { kind: 'texts' }],
]);

test.each([
  ['words and flags in any order', ['a', '--port', '1', 'b'], ['a', 'b'], [['port', '1']]],
  ['values after an equals sign', ['--store=x=y'], [], [['store', 'x=y']]],
  ['switches on and off', ['--no-list-calls'], [], [['list-calls', false]]],
  ['switches before words', ['--list-calls', 'a'], ['a'], [['list-calls', true]]],
  ['several values of one flag', ['--tool', 'a', '--tool=b'], [], [['tool', ['a', 'b']]]],
  ['a dash as a word', ['-'], ['-'], []],
  ['everything after two dashes as words', ['--', '--port'], ['--port'], []],
  ['JSON as a word', ['{"a":-1}'], ['{"a":-1}'], []],
] as const)('reads %s', (_, argv, words, flags) => {
  expect(readArguments('call', argv, known)).toEqual({ words, flags: new Map(flags as never) });
});

test.each([
  ['a mistyped flag', ['--prot', '1'], 'toolpact call has no flag --prot. Did you mean --port?'],
  ['a flag that is like no other', ['--xyzzy'], 'toolpact call has no flag --xyzzy.'],
  ['a short flag', ['-p'], 'toolpact call has no flag -p.'],
  ['a flag without its value', ['--port'], '--port needs a value.'],
  ['a flag in place of a value', ['--port', '--list-calls'], '--port needs a value.'],
  ['a flag given twice', ['--port', '1', '--port', '2'], '--port is given twice.'],
  ['both on and off', ['--list-calls', '--no-list-calls'], '--no-list-calls is given twice.'],
  ['a switch with a value', ['--list-calls=maybe'], '--list-calls takes no value; write --list-calls or --no-list-calls.'],
  ['off for what is no switch', ['--no-port'], 'toolpact call has no flag --no-port. Did you mean --port?'],
])('refuses %s', (_, argv, message) => {
  expect(() => readArguments('call', argv, known)).toThrow(expect.objectContaining({ message }));
});
