import { expect, test } from 'vitest';
import { approvalText, deciderText } from './wait-words.ts';

test('says who decided, or that nobody did', () => {
  expect(deciderText({ state: 'approved', by: 'ann' })).toBe('by ann.');
  expect(deciderText({ state: 'answered' })).toBe('by an unknown person.');
  expect(deciderText({ state: 'open' })).toBe('Nobody has decided yet.');
  expect(deciderText({ state: 'expired' })).toBe('Nobody decided in time.');
});

test('says of a call that has not run since it was decided how that went', () => {
  expect(approvalText({ state: 'approved', by: 'ann' })).toBe('Approved by ann. It runs when the agent makes the same call again.');
  expect(approvalText({ state: 'denied' })).toBe('Denied. It has not run.');
  expect(approvalText({ state: 'expired' })).toBe('Nobody decided in time. It has not run.');
  expect(approvalText(undefined)).toBe('Decided, or expired.');
});
