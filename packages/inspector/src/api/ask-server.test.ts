import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followCaller } from '../state/follow-caller.ts';
import { credential, isRefused, readForCaller, tenant } from './ask-server.ts';

beforeEach(() => {
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/inspector/' });
});

afterEach(() => {
  vi.unstubAllGlobals();
  credential.value = '';
  tenant.value = '';
  isRefused.value = false;
});

test.each([
  ['key', credential, 'key-of-globex'],
  ['tenant', tenant, 'globex'],
])('gives no answer that comes after the %s has changed, and believes no refusal of it', async (_, changed, to) => {
  const late = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => late.promise);
  credential.value = 'key-of-acme';
  const answers = [readForCaller('v1/tools'), readForCaller('v1/approvals')];
  changed.value = to;
  late.resolve(new Response('{}', { status: 401 }));
  expect(await Promise.all(answers)).toEqual([undefined, undefined]);
  expect(isRefused.value).toBe(false);
});

test.each([
  [200, { value: { tools: [] } }, false],
  [401, { error: expect.objectContaining({ status: 401 }) }, true],
])('gives what the server answered with %s to the same caller', async (status, read, refused) => {
  vi.stubGlobal('fetch', async () => Response.json({ tools: [] }, { status }));
  expect([await readForCaller('v1/tools'), isRefused.value]).toEqual([read, refused]);
});

test('of a caller that is not let in only the first request is sent', async () => {
  const asked: string[] = [];
  const late = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', (address: URL) => {
    asked.push(address.pathname);
    return late.promise;
  });
  credential.value = 'key-of-nobody';
  const answers = [readForCaller('v1/tools'), readForCaller('v1/approvals'), readForCaller('v1/grants')];
  late.resolve(new Response('{}', { status: 401 }));
  const refused = { error: expect.objectContaining({ status: 401 }) };
  expect(await Promise.all(answers)).toEqual([refused, refused, refused]);
  expect([asked, isRefused.value]).toEqual([['/v1/tools'], true]);
});

test('a first request that gets no answer does not hold up the others', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: URL) => {
    asked.push(address.pathname);
    return address.pathname === '/v1/tools' ? new Promise(() => undefined) : Promise.resolve(Response.json({}));
  });
  credential.value = 'key-of-a-slow-server';
  void readForCaller('v1/tools');
  const answer = readForCaller('v1/approvals');
  expect(asked).toEqual(['/v1/tools']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([await answer, asked]).toEqual([{ value: {} }, ['/v1/tools', '/v1/approvals']]);
  vi.useRealTimers();
});

test('forgets what was read before it reads for another caller, and only then', () => {
  const seen: string[] = [];
  followCaller(
    () => seen.push('forget'),
    () => seen.push('read'),
  );
  credential.value = 'key-of-acme';
  credential.value = 'key-of-acme';
  tenant.value = 'globex';
  expect(seen).toEqual(['read', 'forget', 'read', 'forget', 'read']);
});
