import { DBOS } from '@dbos-inc/dbos-sdk';
import { toModelText } from 'toolpact';
import { type KillHost, type Order, question, type Turn } from '../host.ts';

/** A loop as a workflow of DBOS: each question to the model and each tool is a step. */
export const host: KillHost = {
  title: 'DBOS workflow',
  mode: 'A workflow whose model calls and tools are steps, on PostgreSQL; `DBOS.launch` recovers it, `DBOS.send` answers its question.',
  documentation: 'https://docs.dbos.dev/typescript/tutorials/workflow-tutorial',
  packages: ['@dbos-inc/dbos-sdk'],
  key: 'the id of the workflow and the name of the step',
  asks: true,
  needs: 'postgres',
  async run({ number, variant, tools, openToolbox, model, postgres, asks, isApproved, approvalAsked }) {
    const toolbox = variant === 'toolpact' ? openToolbox() : undefined;
    const call = async (name: string, args: Order, callId: string): Promise<string> => {
      if (toolbox !== undefined) return toModelText(await toolbox.answer({ name, args, callId }));
      const key = `${DBOS.workflowID}-${callId}`;
      return (await tools.find((one) => one.name === name)?.run(args, variant === 'key' ? key : undefined)) ?? '';
    };
    const answerQuestion = async (_: string): Promise<string> => {
      const results: string[] = [];
      for (;;) {
        const turn: Turn = await DBOS.runStep(() => model.next(results), { name: 'model' });
        if (turn.text !== undefined) return turn.text;
        for (const { id, name, args } of turn.calls) {
          if (asks && name === 'pay') {
            await DBOS.runStep(() => approvalAsked(), { name: 'ask' });
            await DBOS.recv('approval', 3600);
          }
          const result = await DBOS.runStep(() => call(name, args, id), { name: `${name} ${id}` }).catch((error: Error) => error.message);
          results.push(result);
        }
      }
    };
    const workflow = DBOS.registerWorkflow(answerQuestion, { name: 'answerQuestion' });
    DBOS.setConfig({ name: 'clerk', systemDatabaseUrl: postgres, logLevel: 'error', runAdminServer: false });
    await DBOS.launch();
    if (number === 1) await DBOS.startWorkflow(workflow, { workflowID: 'run' })(question);
    if (asks && isApproved) await DBOS.send('run', 'yes', 'approval', `yes-${number}`);
    const handle = DBOS.retrieveWorkflow<string>('run');
    if (!asks || isApproved) return handle.getResult();
    // The question is stored; the answer comes in another process.
    await waitForAsk(() => DBOS.listWorkflowSteps('run'));
    return undefined;
  },
};

async function waitForAsk(
  steps: () => Promise<readonly { readonly name: string; readonly completedAtEpochMs?: number }[] | undefined>,
): Promise<void> {
  for (;;) {
    if ((await steps())?.some(({ name }) => name === 'ask')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
