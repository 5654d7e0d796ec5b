import { type PostgresAddress, startPostgres } from '../fixtures/start-postgres.ts';
import { afterwards } from './loopback.ts';
import { secrets } from './secrets.ts';

let started: Promise<PostgresAddress> | undefined;

/** Starts one private PostgreSQL for this run. */
export function postgres(): Promise<PostgresAddress> {
  started ??= startPostgres({ password: secrets.password, settings: ['fsync=off', 'deadlock_timeout=100ms'] }).then(
    ({ address, remove }) => {
      afterwards(remove);
      return address;
    },
  );
  return started;
}
