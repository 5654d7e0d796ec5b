import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { KillHost } from '../host.ts';
import { runAgent } from '../langchain-agent.ts';

/** An agent of LangChain on LangGraph, its checkpoints in a SQLite file. */
export const host: KillHost = {
  title: 'LangGraph, SQLite checkpointer',
  mode: '`createAgent` with `SqliteSaver` and durability `sync`; after a crash the thread is invoked with `null`, after a question with a command.',
  documentation: 'https://docs.langchain.com/oss/javascript/langgraph/durable-execution',
  packages: ['langchain', '@langchain/langgraph', '@langchain/langgraph-checkpoint-sqlite'],
  key: 'the id of the tool call, which the checkpoint keeps',
  asks: true,
  async run(life) {
    const { SqliteSaver } = (await import('@langchain/langgraph-checkpoint-sqlite' as string)) as {
      SqliteSaver: new (database: object) => object;
    };
    return runAgent(life, new SqliteSaver(openDatabase(join(life.folder, 'checkpoints.db'))));
  },
};

/** Opens a file with what the checkpointer uses of `better-sqlite3`, whose binary is not installed everywhere. */
function openDatabase(path: string): object {
  const database = new DatabaseSync(path);
  return {
    pragma: (text: string) => database.exec(`PRAGMA ${text}`),
    exec: (text: string) => database.exec(text),
    prepare: (text: string) => {
      const statement = database.prepare(text);
      const flat = (given: unknown[]) => given.flat().map((value) => value ?? null) as SQLInputValue[];
      return {
        get: (...given: unknown[]) => statement.get(...flat(given)),
        all: (...given: unknown[]) => statement.all(...flat(given)),
        run: (...given: unknown[]) => statement.run(...flat(given)),
      };
    },
    transaction:
      (run: (...given: unknown[]) => unknown) =>
      (...given: unknown[]) => {
        database.exec('BEGIN');
        try {
          const value = run(...given);
          database.exec('COMMIT');
          return value;
        } catch (error) {
          database.exec('ROLLBACK');
          throw error;
        }
      },
    close: () => database.close(),
  };
}
