import pg from 'pg';
import { expectTypeOf } from 'vitest';
import { type PostgresStoreOptions, postgresStore } from '../../packages/toolpact/src/stores/postgres.ts';

// The store knows pools only by their shape; the real one must fit.
expectTypeOf<pg.Pool>().toExtend<NonNullable<PostgresStoreOptions['pool']>>();
postgresStore({ pool: new pg.Pool() });
