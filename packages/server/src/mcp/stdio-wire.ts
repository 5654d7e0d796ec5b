import process from 'node:process';
import { PassThrough, type Readable, Writable } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { systemClock } from 'toolpact/internal';
import { answerMalformed } from './answer-malformed.ts';
import type { StdioSubscriptions } from './tasks/stdio-subscriptions.ts';

/** The line between a client and this process. */
export interface StdioWire {
  readonly transport: StdioServerTransport;
  /** Sends a message past all that looks at those of the SDK. */
  readonly send: (message: JSONRPCMessage) => Promise<void>;
  /** Begins to count requests; called when the SDK has taken the transport. */
  readonly watch: () => void;
  /** Resolves when every request that arrived is answered, or the time is over. */
  readonly answered: (ms: number) => Promise<void>;
  /** Takes no more input. */
  readonly hangUp: () => void;
  /** Gives the output back to the rest of the process. */
  readonly release: () => void;
}

/**
 * Opens the line. Nothing but messages gets onto it: what the rest of the process writes to its standard output goes to standard error for
 * as long as the line is open. `onEnd` is called when the client has closed its side.
 */
export function openStdioWire(
  stdin: Readable,
  stdout: Writable,
  onEnd: () => void,
  subscriptionsOf: (wire: Pick<StdioWire, 'send'>) => StdioSubscriptions | undefined = () => undefined,
): StdioWire {
  // The end of the input is passed on only when the calls that came through it have had their time.
  const input = new PassThrough();
  const taken = stdout === process.stdout ? takeStdout() : { output: stdout, giveBack: () => undefined };
  const transport = new StdioServerTransport(input, taken.output);
  const open = new Set<unknown>();
  let wake: (() => void) | undefined;
  const settle = (id: unknown): void => {
    open.delete(id);
    if (open.size === 0) wake?.();
  };

  const sendPlain = transport.send.bind(transport);
  const subscriptions = subscriptionsOf({ send: sendPlain });
  transport.send = async (message: JSONRPCMessage) => {
    try {
      const passed = subscriptions === undefined ? message : await subscriptions.pass(message);
      if (passed !== undefined) await sendPlain(passed);
    } finally {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) settle(message.id);
    }
  };
  const stopReading = answerMalformed(stdin, sendPlain);
  stdin.pipe(input, { end: false });
  for (const event of ['end', 'close', 'error']) stdin.once(event, onEnd);

  return {
    transport,
    send: sendPlain,
    watch() {
      const deliver = transport.onmessage;
      transport.onmessage = (message) => {
        if (subscriptions?.take(message)) return;
        // A subscription is open for as long as its client wants, so the end does not wait for it.
        if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') open.add(message.id);
        // A request that was cancelled is not answered.
        else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') settle(message.params?.requestId);
        deliver?.(message);
      };
      const closed = transport.onclose;
      transport.onclose = () => {
        closed?.();
        // Nothing can be answered any more.
        subscriptions?.close();
        open.clear();
        wake?.();
        onEnd();
      };
    },
    async answered(ms) {
      // A message that has just been read is counted in the next turn of the event loop.
      await new Promise(setImmediate);
      if (open.size === 0) return;
      await new Promise<void>((resolve) => {
        const stopTimer = systemClock.after(ms, resolve);
        wake = () => {
          stopTimer();
          resolve();
        };
      });
    },
    hangUp() {
      subscriptions?.close();
      stopReading();
      stdin.unpipe(input);
      stdin.pause();
    },
    release: taken.giveBack,
  };
}

/** Keeps standard output for messages. */
function takeStdout(): { readonly output: Writable; readonly giveBack: () => void } {
  const { stdout, stderr } = process;
  const write = stdout.write;
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write.call(stdout, chunk, encoding, (error) => done(error ?? null)),
  });
  const fail = (error: Error): void => void output.destroy(error);
  stdout.on('error', fail);
  stdout.write = ((...args: Parameters<typeof stderr.write>) => stderr.write(...args)) as typeof stdout.write;
  return {
    output,
    giveBack: () => {
      stdout.write = write;
    },
  };
}
