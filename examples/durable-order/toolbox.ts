import { onRestate } from '@toolpact/restate';
import { createToolbox } from 'toolpact';
import { postgresStore } from 'toolpact/stores/postgres';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { ledgerFile, order } from './order.ts';

/** Puts the tool on a store: calls run in the process that makes them, and their steps are remembered there. */
const onStore = (store: ReturnType<typeof sqliteStore>) => createToolbox([order], { store, calls: { leaseMs: 500 } });

/** The same tool on each engine. */
export const toolboxes = {
  sqlite: (path: string) => onStore(sqliteStore({ path })),
  postgres: (connectionString: string) => onStore(postgresStore(connectionString)),
  // Restate keeps the steps; the store lists the calls and holds their keys.
  restate: (ingress: string) => createToolbox([order], { store: sqliteStore({ path: `${ledgerFile}.db` }), use: [onRestate({ ingress })] }),
};
