import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { casesOf, invalidInput } from '../error-case.ts';
import { scratch } from '../loopback.ts';

const schema = `
  pragma foreign_keys = on;
  create table city (id integer primary key, name text not null unique, people int check (people >= 0)) strict;
  create table street (id integer primary key, city int references city (id));
  insert into city values (1, 'Kyoto', 5);
`;

/** Runs statements on a fresh database in memory. */
function run(sql: string): void {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(schema);
    database.exec(sql);
  } finally {
    database.close();
  }
}

const file = (name: string) => join(scratch, name);

export const sqliteCases = casesOf('node:sqlite', [
  { id: 'a unique violation', run: () => run("insert into city values (2, 'Kyoto', 1)"), expect: { kind: 'conflict', retryable: false } },
  {
    id: 'a primary key that exists',
    run: () => run("insert into city values (1, 'Nara', 1)"),
    expect: { kind: 'conflict', retryable: false },
  },
  { id: 'a missing value', run: () => run('insert into city values (2, null, 1)'), expect: invalidInput },
  { id: 'a check that fails', run: () => run("insert into city values (2, 'Nara', -1)"), expect: invalidInput },
  { id: 'a value of the wrong type', run: () => run("insert into city values (2, 'Nara', 'many')"), expect: invalidInput },
  {
    id: 'a foreign key without its row',
    run: () => run('insert into street values (1, 99)'),
    expect: { kinds: ['invalid_input', 'conflict', 'not_found'], retryable: false },
  },
  { id: 'a syntax error', run: () => run('selec 1'), expect: invalidInput },
  { id: 'a missing table', run: () => run('select * from nowhere'), expect: { kinds: ['not_found', 'invalid_input'] } },
  { id: 'a value that is too big', run: () => run('select zeroblob(2000000000)'), expect: { kind: 'too_large' } },
  {
    id: 'a database that another connection locks',
    run: () => {
      const [one, two] = [new DatabaseSync(file('busy.db')), new DatabaseSync(file('busy.db'), { timeout: 50 })];
      try {
        one.exec('begin exclusive');
        two.exec('create table t (id int)');
      } finally {
        one.close();
        two.close();
      }
    },
    expect: { kinds: ['conflict', 'not_ready', 'timeout'], retryable: true },
  },
  {
    id: 'a write to a read-only database',
    run: () => {
      new DatabaseSync(file('readonly.db')).close();
      const database = new DatabaseSync(file('readonly.db'), { readOnly: true });
      try {
        database.exec('create table t (id int)');
      } finally {
        database.close();
      }
    },
    expect: { kinds: ['forbidden', 'unsupported'] },
  },
  {
    id: 'a file that is no database',
    run: () => {
      writeFileSync(file('letter.db'), 'Dear reader, '.repeat(200));
      const database = new DatabaseSync(file('letter.db'));
      try {
        database.exec('select * from t');
      } finally {
        database.close();
      }
    },
    expect: { kinds: ['bad_response', 'invalid_input'], retryable: false },
  },
  {
    id: 'a folder that does not exist',
    run: () => new DatabaseSync(file('nowhere/a.db')),
    expect: { kinds: ['not_found', 'not_configured', 'forbidden', 'invalid_input'] },
  },
  {
    id: 'a database that was closed',
    run: () => {
      const database = new DatabaseSync(':memory:');
      database.close();
      database.exec('select 1');
    },
    expect: { kinds: ['not_ready', 'internal'], retryable: 'either' },
  },
]);
