import { createToolbox, defineTool } from 'toolpact';
import type { Finding } from './finding.ts';
import { args, description, input, output, search, searchBroken } from './search-stations.ts';

const deadlineMs = 50;

/** Has many calls in flight at once, some of which fail and some of which never end by themselves, and counts the answers. */
export async function measureInFlight(calls: number): Promise<Finding> {
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const common = { description, input, output, effects: 'none' } as const;
  const toolbox = createToolbox(
    [
      defineTool({ name: 'wait', ...common, run: (found) => gate.then(() => search(found)) }),
      defineTool({ name: 'break', ...common, run: (found) => gate.then(() => searchBroken(found)) }),
      defineTool({ name: 'hang', ...common, timeoutMs: deadlineMs, run: () => new Promise<never>(() => {}) }),
    ],
    { report: () => {} },
  );
  const names = ['wait', 'wait', 'wait', 'break', 'hang'] as const;
  const expected = { wait: 'ok', break: 'internal', hang: 'timeout' };

  const startedAt = performance.now();
  const answers = Array.from({ length: calls }, async (_, index) => {
    const name = names[index % names.length] ?? 'wait';
    const outcome = await toolbox.call(name, args);
    return (outcome.status === 'error' ? outcome.error.kind : outcome.status) === expected[name];
  });
  const startedMs = performance.now() - startedAt;
  open();
  const right = (await Promise.all(answers)).filter(Boolean).length;
  const tookMs = performance.now() - startedAt;
  const count = calls.toLocaleString('en');
  return {
    name: `${count} calls in flight at once`,
    found: `${right.toLocaleString('en')} answered rightly; started in ${startedMs.toFixed(0)} ms, all ended after ${tookMs.toFixed(0)} ms (a fifth hang until their deadline of ${deadlineMs} ms)`,
    target: 'all answered',
    met: right === calls,
  };
}
