import { expect, test } from 'vitest';
import type { Cell } from './judge.ts';
import { judge, readWords } from './judge.ts';
import { readResults } from './results.ts';
import { runCell } from './run-cell.ts';

/** Drops the costs of a process, which depend on the machine. */
const without = ({ ms: _, words: __, ...rest }: Cell) => rest;

test('a loop without memory pays again when it is killed after the payment', async () => {
  const cell = await runCell({ host: 'bare', variant: 'alone', moment: 'after-payment' });
  expect(without(cell)).toEqual({ paid: 2, end: 'answered', told: 'paid', isTrue: false, processes: 2 });
});

test('the same loop with Toolpact pays once', async () => {
  const cell = await runCell({ host: 'bare', variant: 'toolpact', moment: 'after-payment' });
  expect(without(cell)).toEqual({ paid: 1, end: 'answered', told: 'paid', isTrue: true, processes: 2 });
});

test.each([
  ['receipt 1 of A-1', 'paid'],
  ['[error: interrupted] It may have taken effect; check before repeating it.', 'unknown'],
  ['Error: fetch failed', 'failed'],
])('%s says %s', (text, told) => expect(readWords(text)).toBe(told));

test.each([
  ['one payment that was told', 1, 'receipt 1 of A-1', true],
  ['two payments of which one was told', 2, 'receipt 2 of A-1', false],
  ['a payment that is said to have failed', 1, 'Error: fetch failed', false],
  ['a payment that is said to be unknown', 1, 'It may have taken effect.', true],
  ['no payment, and none was told', 0, 'Error: fetch failed', true],
])('%s is judged as true or not', (_, payments, text, isTrue) => {
  const paid = Array.from({ length: payments }, () => ({ what: 'payment', invoice: 'A-1' }));
  const told = [{ what: 'model is told', results: [text] }, { what: 'run ends' }];
  expect(judge([...paid, ...told], { processes: 1, ms: 1 }).isTrue).toBe(isTrue);
});

test('no measured run with Toolpact paid twice', () => {
  const twice = Object.entries(readResults().hosts).flatMap(([name, { cells }]) =>
    (['toolpact', 'unsure'] as const).flatMap((variant) =>
      Object.entries(cells[variant] ?? {}).flatMap(([moment, { paid }]) => (paid > 1 ? [`${name} ${variant} ${moment}`] : [])),
    ),
  );
  expect(Object.keys(readResults().hosts)).toContain('bare');
  expect(twice).toEqual([]);
});
