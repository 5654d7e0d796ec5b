import { expect, test } from 'vitest';
import { heldOutHalf, tuningHalf } from './subjects.ts';
import tasks from './tasks.json' with { type: 'json' };

test('each API belongs to one half and has fifteen different tasks with an operation that does them', () => {
  expect(tuningHalf.map(({ api }) => api)).toEqual(['Asana', 'DigitalOcean', 'DocuSign', 'Slack', 'Stripe', 'Amazon EC2']);
  expect(heldOutHalf.map(({ api }) => api)).toEqual(['Plaid', 'GitBook', 'Kubernetes', 'GitHub', 'Jira', 'Zoom']);
  expect(Object.keys(tasks).sort()).toEqual([...tuningHalf, ...heldOutHalf].map(({ api }) => api).sort());
  for (const wanted of Object.values<Readonly<Record<string, readonly string[]>>>(tasks)) {
    expect(Object.keys(wanted)).toHaveLength(15);
    for (const accepted of Object.values(wanted)) expect(accepted.length).toBeGreaterThan(0);
  }
});
