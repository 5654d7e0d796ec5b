import { expect, test } from 'vitest';
import { post, run, start } from '../../packages/cli/test/run-toolpact.ts';

const statuses = async (words: readonly string[], calls: number): Promise<string[]> => {
  const dev = start(['dev', '--sample', '--port', '0', '--store', 'memory', '--retry-attempts', '1', '--no-repeat-breaker', ...words]);
  await dev.until(/Ctrl-C stops/, 'stdout');
  const [, url = ''] = await dev.until(/Local +(\S+)/, 'stdout');
  const told: string[] = [];
  for (let call = 0; call < calls; call += 1) {
    const { body } = await post(url, 'add', { a: call, b: 1 });
    told.push(body.status === 'error' ? (body.error as { kind: string }).kind : (body.status as string));
  }
  if (words.length > 0) expect((await dev.until(/chaos is on: .*/))[0]).toMatch(/^chaos is on: [\d.]+ % of runs get a fault \(seed \w+\)$/);
  dev.kill('SIGINT');
  await dev.ended;
  return told;
};

test('with --chaos, some runs fail, the same ones for the same seed, and the terminal says so', async () => {
  const words = ['--chaos', '0.6', '--chaos-seed', 'monday'];
  const [told, again, undisturbed] = await Promise.all([statuses(words, 12), statuses(words, 12), statuses([], 3)]);
  expect(new Set(told).size).toBeGreaterThan(1);
  expect(told).toContain('ok');
  expect(again).toEqual(told);
  expect(undisturbed).toEqual(['ok', 'ok', 'ok']);
});

test('an invalid rate is refused before anything starts', async () => {
  expect(await run(['dev', '--sample', '--chaos', '20'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--chaos must be a share above 0 and up to 1, such as 0.2, not 20.'),
  });
});
