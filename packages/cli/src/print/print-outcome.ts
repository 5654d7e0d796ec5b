import { type Outcome, toModelText } from 'toolpact';
import type { DialectName } from '../dialect-names.ts';
import { dialects } from '../dialects.ts';
import { plain, plainLine, type Terminal } from './terminal.ts';

/** Prints an outcome: its data for people, or all of it in the form that was asked for. */
export async function printOutcome(
  outcome: Outcome,
  flags: ReadonlyMap<string, unknown>,
  terminal: Terminal,
  howToAllow = 'To approve it, add --approve to the same command.',
): Promise<void> {
  const dialect = flags.get('dialect') as DialectName | undefined;
  if (dialect !== undefined) {
    // Readers of problem details ignore what they do not know; readers of the others may refuse it.
    const strict = (flags.get('strict') as boolean | undefined) ?? dialect !== 'problem';
    return terminal.out(`${JSON.stringify(dialects[dialect].encode(outcome, { strict }), null, 2)}\n`);
  }
  if (flags.get('json') === true) return terminal.out(`${JSON.stringify(outcome, null, 2)}\n`);
  if (outcome.status === 'ok' || outcome.status === 'partial') {
    await terminal.out(`${typeof outcome.data === 'string' ? outcome.data : JSON.stringify(outcome.data, null, 2)}\n`);
  }
  for (const warning of outcome.meta.warnings ?? []) terminal.say(`${terminal.paint('warn', 'warning')} ${plainLine(warning)}\n`);
  if (outcome.status === 'ok') return;
  const text = outcome.status === 'partial' ? failuresOf(outcome) : plain(toModelText(outcome));
  terminal.say(`${terminal.paint(outcome.status === 'error' ? 'bad' : 'warn', text)}\n`);
  if (outcome.status === 'pending' && outcome.pending.reason === 'approval' && howToAllow !== '') terminal.say(`${howToAllow}\n`);
}

function failuresOf({ failures, total }: Extract<Outcome, { status: 'partial' }>): string {
  const lines = failures.map(({ index, id, error }) => plainLine(`- item ${id ?? index}: ${error.kind}: ${error.message}`));
  return [`[partial] ${failures.length} of ${total} failed.`, ...lines].join('\n');
}
