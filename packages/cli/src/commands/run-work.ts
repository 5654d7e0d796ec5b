import type { ToolpactEvent } from 'toolpact';
import { insideOf } from 'toolpact/extend';
import { startWorker } from 'toolpact/internal';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { openStore } from '../load/open-store.ts';
import { toolSource } from '../load/tool-source.ts';
import { closeToolbox, wireToolbox } from '../load/wire-toolbox.ts';
import { createCallLog } from '../print/call-log.ts';
import type { Given } from './command.ts';
import { untilStopped } from './until-stopped.ts';

/** Takes over the calls of processes that are gone, and goes on with those that slept or waited, until a signal stops it. */
export async function runWork(given: Given): Promise<number> {
  const { terminal, words, settings } = given;
  const loaded = await toolSource(given, words).load();
  const log = createCallLog(settings.log ?? 'json', terminal.say, terminal.paint);
  const stopped = untilStopped(terminal);
  const store = await openStore(settings.store, terminal.cwd);
  try {
    const onEvent = (event: ToolpactEvent): void => {
      if (event.type === 'call-end') log.call(event.outcome);
      if (event.type === 'problem') log.problem(event);
    };
    const toolbox = wireToolbox(loaded, settings, store, { onEvent });
    if (toolbox.calls === undefined)
      throw new CliError('There is nothing to continue: the toolbox that your file exports has no store.', {
        fix: 'Give it one: createToolbox(tools, { store }).',
      });
    const worker = startWorker(toolbox, {}, true);
    // A toolbox that the tools export may have another store than the settings name.
    const { name } = insideOf(toolbox).calls?.store ?? store;
    log.note('info', 'working', `resuming sleeping, waiting and orphaned calls from the ${name} store`, { store: name });
    const signal = await stopped;
    log.note('info', 'stopping', `${signal}: refusing new calls, finishing running ones`, { signal });
    await worker.stop();
    await closeToolbox(toolbox);
    return exitCodes.done;
  } finally {
    await store.close();
  }
}
