import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Approval, DecisionFacts, JsonObject, JsonValue } from 'toolpact';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { approvalText } from '../../print/approval-text.ts';
import { plainLine, type Terminal } from '../../print/terminal.ts';
import type { Decide } from './run-approvals.ts';
import type { CallSource } from './with-calls.ts';

const keys = '[y]es, [n]o, [e]dit, [a]ll like it, [s]kip, [q]uit? ';

/** Asks a person at the keyboard about each call that waits, and decides as answered. The end of the input decides nothing more. */
export async function decideOneByOne(
  waiting: readonly Approval[],
  source: Pick<CallSource['approvals'], 'list'> & { readonly decide: Decide },
  terminal: Terminal,
  facts: DecisionFacts,
): Promise<number> {
  const ask = createAsker(terminal);
  const decided = new Set<string>();
  const decide = async (approval: Approval, verdict: 'approve' | 'deny', own: DecisionFacts): Promise<void> => {
    decided.add(approval.handle);
    try {
      await source.decide(approval.handle, verdict, own);
      terminal.say(`${verdict === 'approve' ? 'Approved' : 'Denied'}: ${plainLine(approval.question)}\n`);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      terminal.say(`${plainLine(error.message)}\n`);
    }
  };
  if (waiting.length === 0) terminal.say('No calls are waiting for approval.\n');
  try {
    for (const approval of waiting) {
      if (decided.has(approval.handle)) continue;
      await terminal.out(`${approvalText(approval, terminal.outPaint)}\n`);
      const answer = await askUntil(ask, keys, /^[yneasq]$/i);
      if (answer === undefined || answer === 'q') break;
      if (answer === 'y') await decide(approval, 'approve', facts);
      if (answer === 'n') {
        const reason = (await ask('Reason (the model reads it; empty for none)? ')) ?? '';
        await decide(approval, 'deny', { ...facts, ...(reason !== '' && { reason }) });
      }
      if (answer === 'e') {
        const input = await edit(approval, ask, terminal);
        if (input !== undefined) await decide(approval, 'approve', { ...facts, input });
      }
      if (answer === 'a') {
        const alike = (await source.list({ like: approval.handle })).filter(({ handle }) => !decided.has(handle));
        const others = alike.filter(({ handle }) => handle !== approval.handle);
        for (const other of others) await terminal.out(`${approvalText(other, terminal.outPaint)}\n`);
        const verdict = await askUntil(ask, `All ${alike.length}: [y]es, [n]o, [s]kip? `, /^[yns]$/i);
        if (verdict === undefined) break;
        if (verdict !== 's') for (const one of alike) await decide(one, verdict === 'y' ? 'approve' : 'deny', facts);
      }
    }
  } finally {
    ask.close();
  }
  return exitCodes.done;
}

/** Lets a person change arguments one at a time, shows what differs, and gives all of them; undefined where nothing is to be changed. */
async function edit({ input }: Approval, ask: Asker, { out, outPaint }: Terminal): Promise<JsonObject | undefined> {
  const edited = structuredClone(input) as Record<string, JsonValue>;
  for (;;) {
    const line = await ask('argument=new value (JSON or text; argument= removes it; empty when done)? ');
    if (line === undefined) return undefined;
    if (line.trim() === '') break;
    const [, name, value] = /^\s*([^=]+?)\s*=(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    if (value.trim() === '') delete edited[name];
    else edited[name] = toValue(value.trim());
  }
  const before = input as JsonObject;
  const names = [...new Set([...Object.keys(before), ...Object.keys(edited)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(edited[name]));
  for (const name of changed) {
    if (Object.hasOwn(before, name))
      await out(`${outPaint('bad', `  - ${plainLine(name)}: ${plainLine(JSON.stringify(before[name]))}`)}\n`);
    if (Object.hasOwn(edited, name))
      await out(`${outPaint('good', `  + ${plainLine(name)}: ${plainLine(JSON.stringify(edited[name]))}`)}\n`);
  }
  const answer = await askUntil(ask, 'Approve this, [y]es or [n]o? ', /^[yn]$/i);
  return answer === 'y' ? edited : undefined;
}

/** Reads JSON; what is none is text. */
function toValue(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Asks for a line; undefined once the input has ended. */
interface Asker {
  (question: string): Promise<string | undefined>;
  readonly close: () => void;
}

function createAsker({ stdin, say }: Pick<Terminal, 'stdin' | 'say'>): Asker {
  const output = new Writable({ write: (chunk: Uint8Array, _, done) => done(void say(String(chunk))) });
  const reader = createInterface({ input: stdin, output, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string | undefined> => {
    say(question);
    const { value, done } = await lines.next();
    return done === true ? undefined : value;
  };
  return Object.assign(ask, { close: () => reader.close() });
}

async function askUntil(ask: Asker, question: string, wanted: RegExp): Promise<string | undefined> {
  for (;;) {
    const answer = (await ask(question))?.trim();
    if (answer === undefined) return undefined;
    if (wanted.test(answer)) return answer.toLowerCase();
  }
}
