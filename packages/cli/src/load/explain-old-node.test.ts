import { expect, test } from 'vitest';
import { explainOldNode } from './explain-old-node.ts';

test.each(['18.20.8', '20.20.2', '21.7.3', '22.17.1'])('on Node %s the user reads that it is too old, and what to do', (version) => {
  expect(explainOldNode(version)).toMatchObject({
    message: `toolpact needs Node 22.18 or newer; this is ${version}.`,
    fix: 'Install Node 24 from https://nodejs.org, then run the command again.',
    exitCode: 1,
  });
});

test.each(['22.18.0', '24.0.0', '26.1.0'])('Node %s is new enough', (version) => {
  expect(explainOldNode(version)).toBeUndefined();
});
