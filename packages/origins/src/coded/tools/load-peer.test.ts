import { expect, test } from 'vitest';
import { loadPeer } from './load-peer.ts';

test('a package that is there is loaded', async () => {
  expect(await loadPeer('linkedom')).toHaveProperty('parseHTML');
});

test('one that is not says how to get it', async () => {
  const name = 'toolpact-no-such-package';
  await expect(loadPeer(name)).rejects.toMatchObject({
    kind: 'not_configured',
    message: 'The package "toolpact-no-such-package" is not installed. Run: npm install toolpact-no-such-package',
  });
});
