import { expect, test } from 'vitest';
import { subjects } from './subjects.ts';
import tasks from './tasks.json' with { type: 'json' };

test('each API has fifteen different tasks with an operation that does them', () => {
  expect(subjects.map(({ api }) => api).sort()).toEqual(Object.keys(tasks).sort());
  for (const wanted of Object.values<Readonly<Record<string, readonly string[]>>>(tasks)) {
    expect(Object.keys(wanted)).toHaveLength(15);
    for (const accepted of Object.values(wanted)) expect(accepted.length).toBeGreaterThan(0);
  }
});
