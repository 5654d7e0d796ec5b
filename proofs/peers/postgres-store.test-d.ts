import pg from 'pg';
import { type PostgresStoreOptions, postgresStore } from 'toolpact/stores/postgres';
import { expectTypeOf } from 'vitest';

// The store knows pools only by their shape; the real one must fit.
expectTypeOf<pg.Pool>().toExtend<NonNullable<PostgresStoreOptions['pool']>>();
postgresStore({ pool: new pg.Pool() });
