import { finalAnswer, type RunRecord, type RunSetup } from '../../../../../proofs/battery/host.ts';
import { serveScript } from './scripted-server.ts';
import type { Wire } from './wire.ts';

/** Makes one run of the battery against a scripted provider: its first turn makes the calls, every later one answers. */
export async function runScripted(
  wire: Wire,
  setup: RunSetup,
  run: (origin: string) => Promise<string | null | undefined>,
): Promise<RunRecord> {
  const last = { text: finalAnswer };
  // A provider's own loop is held to what that provider demands, ours to what any server of that API might.
  const check = setup.mode === 'bare' ? (wire.checkLess ?? wire.check) : wire.check;
  const server = await serveScript({ ...wire, check }, [{ calls: setup.calls }, last, last, last]);
  try {
    const answer = await run(server.origin);
    const followUp = server.requests[1] as never;
    if (followUp === undefined) return { answer: answer ?? undefined, toModel: {} };
    return { answer: answer ?? undefined, toModel: wire.told(followUp), history: wire.argumentsIn(followUp) };
  } finally {
    await server.close();
  }
}
