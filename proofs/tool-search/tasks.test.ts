import { expect, test } from 'vitest';
import { tunedSubjects, unseenSubjects } from './subjects.ts';
import tasks from './tasks.json' with { type: 'json' };
import unseenTasks from './unseen-tasks.json' with { type: 'json' };

test.each([
  ['tuned on', tunedSubjects, tasks, 180],
  ['not tuned on', unseenSubjects, unseenTasks, 139],
] as const)(
  'each API that the ranking was %s has tasks, all of them different, with an operation that does them',
  (_, subjects, all, count) => {
    expect(subjects.map(({ api }) => api).sort()).toEqual(Object.keys(all).sort());
    const wanted = Object.values<Readonly<Record<string, readonly string[]>>>(all);
    expect(wanted.reduce((sum, own) => sum + Object.keys(own).length, 0)).toBe(count);
    for (const accepted of wanted.flatMap((own) => Object.values(own))) expect(accepted.length).toBeGreaterThan(0);
  },
);
