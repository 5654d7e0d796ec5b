import { appendFileSync } from 'node:fs';
import { withFaults } from '@toolpact/testing';
import { createToolbox, defineTool } from 'toolpact';
import { sqliteStore } from 'toolpact/stores/sqlite';

/** A toolbox whose one tool writes a line into a file; its calls are kept in a SQLite store. */
export function openToolbox(folder: string) {
  const store = sqliteStore({ path: `${folder}/store.db` });
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    idempotency: { key: () => 'one payment' },
    run: () => {
      appendFileSync(`${folder}/paid.txt`, 'paid\n');
      return { paid: true };
    },
  });
  return {
    store,
    toolbox: createToolbox([pay], { store, calls: { leaseMs: 100 }, report: () => undefined }),
  };
}

if (import.meta.main) {
  const [folder = '', crash = ''] = process.argv.slice(2);
  const { toolbox } = openToolbox(folder);
  const dying = withFaults(toolbox, { crash: crash as 'after-effect', onCrash: () => process.exit(9) });
  await dying.call('pay', {}, { runId: 'run-1' });
  process.exit(0);
}
