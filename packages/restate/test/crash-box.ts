import { createToolbox } from 'toolpact';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { onRestate } from '../src/index.ts';
import { createCrashTool } from './crash-tool.ts';

/** Makes the toolbox of a caller of Restate and of its workers. `die` ends the process; the ledger is the truth about what happened, and calls are kept in a file beside it. */
export function createCrashBox(ingress: readonly string[], service: string, ledger: string, die: () => void = () => undefined) {
  return createToolbox([createCrashTool({ ledger, die })], {
    store: sqliteStore({ path: `${ledger}.db` }),
    use: [onRestate({ ingress, service })],
    report: () => undefined,
  });
}
