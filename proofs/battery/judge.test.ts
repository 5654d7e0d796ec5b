import type { Outcome } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { canary, type Fault } from './fault.ts';
import { faults } from './faults.ts';
import { finalAnswer, type RunRecord } from './host.ts';
import { type Ending, judge } from './judge.ts';

/** The judge itself: every code and every level can come out. */

const named = (title: string): Fault => faults.find((fault) => fault.title === title) as Fault;
const told = (text: string, failed?: boolean, more: Partial<RunRecord> = {}): Ending => ({
  record: { answer: finalAnswer, toModel: { 'call-1': { text, ...(failed !== undefined && { failed }) } }, ...more },
});

test.each<[string, string, Ending, string]>([
  ['the cause, flagged', 'sync throw Error', told('Error: ledger does not add up', true), 'S'],
  ['the cause in words alone', 'sync throw Error', told('ledger does not add up'), 'S'],
  ['only that it failed', 'sync throw Error', told('An error occurred.'), 's'],
  ['success', 'sync throw Error', told('{"done":true}', false), 'Q'],
  ['nothing', 'sync throw Error', { record: { answer: finalAnswer, toModel: {} } }, 'Q'],
  ['the error of the framework itself', 'throw null', told("Cannot read properties of null (reading 'name')", true), 's'],
  ['what JavaScript writes for no value', 'throw undefined', told('undefined', true), 's'],
  ['what JavaScript writes for an object', 'throw frozen object', told('[object Object]'), 'Q'],
  ['what JavaScript writes for no result', 'result undefined', told('undefined', false), 'Q'],
  ['no end', 'sync throw Error', { record: { toModel: {} } }, 'E'],
  ['an exception', 'sync throw Error', { thrown: new Error('x') }, 'T'],
  ['an exception that cannot be shown', 'sync throw Error', { thrown: Object.create(null) }, 'T'],
  ['no answer in time', 'sync throw Error', { hung: true }, 'H'],
  ['a result', 'result Map', told('{"a-1":12}', false), 'S'],
  ['a result without its content', 'result Map', told('{}', false), 'Q'],
  ['a refusal that says why', 'result Map', told('A Map has no JSON form: error', true), 'S'],
  ['a refusal of a sound call', 'result Date', told('Error: no dates', true), 's'],
  ['all of ten megabytes', '10 MB string result', told(`${'x'.repeat(10_485_760)} [cut]`, false), 'Q'],
  ['a part of ten megabytes', '10 MB string result', told('xxxx [cut: 10485760 characters]', false), 'S'],
  ['a surplus argument', 'args: extra field', told('{"account":"a-1","note":"surplus"}', false), 'Q'],
  [
    'arguments as they were',
    'handler mutates its input',
    told('moved', false, { history: { 'call-1': '{"account":"a-1","amount":5}' } }),
    'S',
  ],
  [
    'changed arguments',
    'handler mutates its input',
    told('moved', false, { history: { 'call-1': { account: 'a-1', amount: 1_000_000 } } }),
    'Q',
  ],
  ['a misspelled name that was understood', 'tool name in wrong case', told('moved five', false), 'S'],
])('%s for "%s"', (_, title, ending, code) => {
  expect(judge(named(title), ending).code).toBe(code);
});

test('of two calls, the worse one counts', () => {
  const ending: Ending = {
    record: { answer: finalAnswer, toModel: { 'call-1': { text: 'Error: ledger does not add up', failed: true } } },
  };
  expect(judge(named('2 parallel calls, one throws'), ending)).toMatchObject({ code: 'Q', why: 'call-2 was not answered' });
});

describe('the outcome that the application sees', () => {
  const fault = named('HttpError 404');
  const text = '404: no such account (error)';
  test.each([
    ['C', { kind: 'not_found' }],
    ['C', { code: 'E404' }],
    ['R', { error: new Error('404'), failed: true }],
    ['F', { failed: true }],
    ['N', {}],
  ])('%s for %j', (level, seen) => {
    expect(judge(fault, told(text, true, { app: { 'call-1': seen } })).app).toBe(level);
  });

  test.each([
    ['C', 'not_found'],
    ['N', 'internal'],
  ] as const)('%s with Toolpact for the kind %s', (level, kind) => {
    const outcome = { status: 'error', error: { kind }, meta: {} } as unknown as Outcome;
    expect(judge(fault, told(text, true), new Map([['call-1', outcome]])).app).toBe(level);
  });
});

test.each([
  ['secret', `ledger does not add up for Bearer ${canary}`],
  ['stack', 'Error: ledger does not add up\n    at run (file:///app/tool.ts:10:3)'],
])('a %s in the text is a leak', (leak, text) => {
  expect(judge(named('secret in the error message'), told(text, true))).toMatchObject({ code: 'S', leaks: [leak] });
});
