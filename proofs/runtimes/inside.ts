import { value } from '@toolpact/origins/value';
import { createClient } from '@toolpact/server/client';
import { createToolbox, toModelText } from 'toolpact';
import { detectDialect, problem, translate } from 'toolpact/dialects';
import { memoryStore } from 'toolpact/stores/memory';
import { openTelemetry } from 'toolpact/telemetry';
import { apiKey, forecast, lockedServer, pay, server } from './tools.ts';

/** Checks of a runtime by itself, without HTTP. Each throws for what it does not find. */
export const checks: Readonly<Record<string, () => Promise<void>>> = {
  async 'main entry'() {
    const outcome = await forecast.call({ city: 'Kyoto' });
    expectSame(toModelText(outcome), '[error: rate_limited] Too many requests. (HTTP 429)\nNext: Wait 8 s before trying again.');
    const oslo = await forecast.call({ city: 'Oslo' });
    expectSame(oslo.status === 'ok' && oslo.data, { celsius: 4 });
    const wrong = await forecast.call({ city: 4 } as never);
    expectSame(wrong.status === 'error' && [wrong.error.kind, wrong.error.issues?.[0]?.path], ['invalid_input', ['city']]);
  },
  async dialects() {
    const outcome = await forecast.call({ city: 'Kyoto' });
    const encoded = value.encode(outcome, { strict: true });
    expectSame(detectDialect(encoded, [value, problem])?.name, 'value');
    const translated = translate(encoded, value, problem);
    expectSame(translated.ok && Object.hasOwn(translated.json, 'title'), true);
  },
  async 'guards, memory store'() {
    await payTwice(memoryStore());
  },
  async 'API keys'() {
    const ask = (headers: object) => lockedServer.fetch(new Request('http://127.0.0.1/v1/tools', { headers: { ...headers } }));
    expectSame([(await ask({})).status, (await ask({ 'x-api-key': apiKey })).status], [401, 200]);
  },
  async 'toolpact/client'() {
    const client = createClient('http://127.0.0.1', { fetch: (url, options) => server.fetch(new Request(url, options)) });
    const outcome = await client.call('forecast', { city: 'Oslo' });
    expectSame(outcome.status === 'ok' && outcome.data, { celsius: 4 });
  },
  async telemetry() {
    const toolbox = createToolbox([forecast], { telemetry: openTelemetry() });
    expectSame((await toolbox.call('forecast', { city: 'Oslo' })).status, 'ok');
  },
};

/** Asks for an approval, pays, and is given the same receipt for the same invoice. */
export async function payTwice(store: ReturnType<typeof memoryStore>): Promise<void> {
  const toolbox = createToolbox([pay], { store });
  const call = () => toolbox.call('pay_invoice', { invoice: 'A-1', amount: 500 });
  const asked = await call();
  if (asked.status === 'pending') await toolbox.approvals.decide(asked.pending.handle, 'approve', { by: 'ann' });
  const [paid, again] = [await call(), await call()];
  expectSame([asked.status, paid.status, again.meta.replayed], ['pending', 'ok', true]);
}

/** Throws where two values differ as JSON. */
export function expectSame(found: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right) throw new Error(`expected ${right}, found ${left}`);
}

/** Runs checks one after the other: a text says why one failed, an empty one that it did not. */
export async function runChecks(given: Readonly<Record<string, () => Promise<void>>>): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  for (const [name, check] of Object.entries(given)) {
    results[name] = await check().then(
      () => '',
      (error: unknown) => String((error as Error).stack ?? error),
    );
  }
  return results;
}
