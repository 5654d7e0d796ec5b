import type { KillHost } from '../host.ts';
import { runAgent } from '../langchain-agent.ts';

/** An agent of LangChain on LangGraph, its checkpoints in PostgreSQL. */
export const host: KillHost = {
  title: 'LangGraph, PostgreSQL checkpointer',
  mode: '`createAgent` with `PostgresSaver` and durability `sync`; after a crash the thread is invoked with `null`, after a question with a command.',
  documentation: 'https://docs.langchain.com/oss/javascript/langgraph/durable-execution',
  packages: ['langchain', '@langchain/langgraph', '@langchain/langgraph-checkpoint-postgres'],
  key: 'the id of the tool call, which the checkpoint keeps',
  asks: true,
  needs: 'postgres',
  async run(life) {
    const { PostgresSaver } = (await import('@langchain/langgraph-checkpoint-postgres' as string)) as {
      PostgresSaver: { fromConnString: (url: string) => { setup: () => Promise<void> } };
    };
    const saver = PostgresSaver.fromConnString(life.postgres);
    await saver.setup();
    return runAgent(life, saver);
  },
};
