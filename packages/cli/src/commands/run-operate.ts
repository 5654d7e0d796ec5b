import { createOperatorToolbox } from '@toolpact/server';
import { serveStdio } from '@toolpact/server/stdio';
import { usageError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { isUp } from '../inspect/is-up.ts';
import { packageVersion } from '../load/package-version.ts';
import { plainLine } from '../print/terminal.ts';
import type { Given } from './command.ts';

/** Where `toolpact dev` listens. */
const usual = 'http://127.0.0.1:8787';

/** Serves the tools of an operator to the MCP client that started this process, until it closes stdin. */
export async function runOperate({ terminal, words, flags }: Given): Promise<number> {
  const [address = usual] = words;
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    throw usageError(`${plainLine(address)} is not an address.`, `Write it like ${usual}.`);
  const { stdin, stdout, env } = terminal;
  const told = isUp(new URL(address)).then((answers) => {
    if (!answers)
      terminal.say(
        `${terminal.paint('warn', 'warn')} The server at ${new URL(address).host} does not answer yet. Its tools work as soon as it does.\n`,
      );
  });
  const { TOOLPACT_API_KEY: key = '' } = env;
  const toolbox = createOperatorToolbox(address, {
    decide: flags.get('decide') === true,
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
  });
  await serveStdio(toolbox, { name: 'toolpact-operator', version: packageVersion(), stdin, stdout }).closed;
  await told;
  return exitCodes.done;
}
