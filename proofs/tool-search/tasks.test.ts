import { expect, test } from 'vitest';
import { joinRegisters, type Tasks } from './measure.ts';
import { tunedSubjects, unseenSubjects } from './subjects.ts';
import tasks from './tasks.json' with { type: 'json' };
import unseenTasks from './unseen-tasks.json' with { type: 'json' };

test.each<[string, readonly { readonly api: string }[], Readonly<Record<string, Tasks>>, number]>([
  ['tuned on', tunedSubjects, tasks, 319],
  ['not tuned on', unseenSubjects, Object.fromEntries(Object.entries(unseenTasks).map(([api, own]) => [api, joinRegisters(own)])), 216],
])('each API that the ranking was %s has tasks, all of them different, with an operation that does them', (_, subjects, all, count) => {
  expect(subjects.map(({ api }) => api).sort()).toEqual(Object.keys(all).sort());
  const wanted = Object.values(all);
  expect(wanted.reduce((sum, own) => sum + Object.keys(own).length, 0)).toBe(count);
  for (const accepted of wanted.flatMap((own) => Object.values(own))) expect(accepted.length).toBeGreaterThan(0);
});

test('each API that the ranking was not tuned on has tasks in every register', () => {
  for (const own of Object.values(unseenTasks)) expect(Object.keys(own)).toEqual(['plain', 'product', 'request']);
});
