import { createInspectorProxy } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { usageError } from '../cli-error.ts';
import type { Given } from '../commands/command.ts';
import { untilStopped } from '../commands/until-stopped.ts';
import { exitCodes } from '../exit-codes.ts';
import { plainLine } from '../print/terminal.ts';
import { isUp } from './is-up.ts';

/** Shows the inspector page for a server that runs elsewhere, until it is stopped. */
export async function runInspect({ terminal, words, flags }: Given): Promise<number> {
  const [address = ''] = words;
  const target = URL.parse(address);
  if (target === null || !/^https?:$/.test(target.protocol) || target.username !== '')
    throw usageError(`${plainLine(address)} is not the address of a server.`, 'Write it like https://tools.example.com.');
  const written = flags.get('port');
  const port = written === undefined ? 8788 : Number(written);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw usageError('--port must be a whole number from 0 to 65535.');
  const stopped = untilStopped(terminal);
  const listening = await listen(createInspectorProxy(target), { port, nextFreePort: true });
  const { outPaint: paint } = terminal;
  await terminal.out(`
  ${paint('strong', `The inspector of ${target.host}`)}

  ${paint('dim', 'Open')}   ${paint('link', `${listening.url}/inspector/`)}

  ${paint('dim', 'If the server requires a key or token, enter it in the page. Ctrl-C stops.')}

`);
  if (!(await isUp(target)))
    terminal.say(
      `${terminal.paint('warn', 'warn')} The server at ${target.host} does not answer yet. The page connects as soon as it does.\n`,
    );
  await stopped;
  await listening.close({ drainMs: 0 });
  return exitCodes.done;
}
