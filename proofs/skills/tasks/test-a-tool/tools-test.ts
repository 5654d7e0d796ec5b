// Task: "Write a test of withdraw: that it works once, that it refuses, that it keeps the contract, and what it says when an answer is lost."
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTools, withFaults } from '@toolpact/testing';
import { createToolbox } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { withdraw } from './tools.ts';

const newToolbox = () => createToolbox([withdraw], { store: memoryStore(), report: () => undefined });

test('withdraws once for equal calls', async () => {
  const toolbox = newToolbox();
  for (let time = 1; time <= 2; time += 1) {
    const outcome = await toolbox.call('withdraw', { account: 'A-1', amount: 5 });
    assert.deepEqual(outcome.status === 'ok' && outcome.data, { left: 15 });
  }
});

test('refuses to overdraw an account, and names what it holds', async () => {
  const outcome = await newToolbox().call('withdraw', { account: 'A-1', amount: 500 });
  assert.deepEqual(outcome.status === 'error' && [outcome.error.code, outcome.error.recovery, outcome.error.effect], [
    'insufficient_funds',
    'fix_input',
    'none',
  ]);
});

test('says that nobody knows when the answer is lost', async () => {
  const broken = withFaults(newToolbox(), { kind: 'timeout', at: 'after' });
  const outcome = await broken.call('withdraw', { account: 'A-1', amount: 1 });
  assert.equal(outcome.status === 'error' && outcome.error.effect, 'unknown');
});

test('keeps the contract', async () => {
  assert.deepEqual(await checkTools(newToolbox()), []);
});
