import { ToolpactError } from '../../outcome/index.ts';
/** The part of a pool of the `pg` package that is used here. */
export interface PgPool {
  readonly query: (query: PgQuery) => Promise<PgResult>;
  readonly connect: () => Promise<PgClient>;
  readonly end: () => Promise<void>;
  readonly options?: { readonly max?: number };
}

/** The part of a client of the `pg` package that is used here. */
export interface PgClient {
  readonly query: (query: PgQuery) => Promise<PgResult>;
  readonly release: (destroy?: boolean) => void;
  readonly on: {
    (event: 'error', listener: (error: Error) => void): unknown;
    (event: 'notification', listener: (message: { readonly channel: string; readonly payload?: string | undefined }) => void): unknown;
  };
  /** Lets the process end while this connection is open. */
  readonly unref?: () => void;
  readonly removeListener: (event: 'error', listener: (error: Error) => void) => unknown;
}

/** A statement with its values; one with a name is prepared once per connection. */
export interface PgQuery {
  readonly text: string;
  readonly name?: string;
  readonly values?: unknown[];
}

/** The result of a statement. */
export interface PgResult {
  readonly rows: readonly unknown[];
}

/** Creates a pool of the store's own. */
export async function createPgPool(connectionString: string): Promise<PgPool> {
  // A name in a variable, so that an application with a pool of its own does not need the package.
  const packageName = 'pg';
  const { default: pg } = (await import(packageName).catch((cause: unknown) => {
    throw new ToolpactError(
      'missing_package',
      'postgresStore needs the package pg to connect to a server: npm install pg',
      { package: 'pg' },
      { cause },
    );
  })) as { default: { Pool: new (config: object) => PgPool & Pick<PgClient, 'on'> } };
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 5000, query_timeout: 30_000, allowExitOnIdle: true });
  // The pool replaces connections that end while they are idle; without a listener they would end the process.
  pool.on('error', () => undefined);
  return pool;
}
