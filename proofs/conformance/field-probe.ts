import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromJsonSchema } from '@toolpact/openapi';
import { type InputCase, reportOnTools } from '@toolpact/testing';
import { createToolbox } from 'toolpact';
import { fromMcp } from 'toolpact/adapters/mcp';
import { generateInputs } from '../../packages/testing/src/tools/generate/generate-inputs.ts';
import { type Client, connect, secret } from './field-connect.ts';
import type { FieldResult, Told } from './field-result.ts';
import type { FieldServer } from './field-servers.ts';

const patienceMs = 5_000;
const own: readonly string[] = ['read_result', 'wait_for_result'];
const stacks = /\n\s+at .{1,300}:\d+:\d+|\bat (?:async )?[\w.<>$ ]+ \((?:file:|node:|\/)[^)]{1,300}:\d+:\d+\)|"stack"\s*:/;
const looksFailed = /^\s*(?:[❌✗]|\{?\s*"?error\b|error[: ]|failed\b|unable to|could not|cannot |invalid )/i;

interface Answer {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: unknown }[];
  readonly structuredContent?: unknown;
}

interface Listed {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, never>>;
  readonly outputSchema?: Readonly<Record<string, never>>;
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

type Reply = { readonly told: Told; readonly text: string; readonly answer?: Answer };

/** The program of our command line. */
const main = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));

/**
 * Starts a server in a box of its own, cut off from the network, and tries what a client may do to it; with `isWrapped` through `toolpact wrap`.
 * `cache` is where it is installed.
 */
export async function probe(
  server: FieldServer,
  cache: string,
  { isWrapped = false }: { readonly isWrapped?: boolean } = {},
): Promise<FieldResult> {
  const box = mkdtempSync(join(tmpdir(), 'field-box-'));
  const places = mkdtempSync(join(tmpdir(), 'field-wrap-'));
  const gateway = isWrapped ? [main, 'wrap', '--store', 'memory', '--lock', join(places, 'toolpact.lock.json'), '--'] : [];
  try {
    return await probeIn(server, cache, box, gateway);
  } finally {
    for (const folder of [box, places]) rmSync(folder, { recursive: true, force: true });
  }
}

async function probeIn(server: FieldServer, cache: string, box: string, gateway: readonly string[]): Promise<FieldResult> {
  const { client, transport, noise } = await connect(server, cache, box, gateway);
  const examples: Record<string, string> = {};
  const note = (what: string, tool: string, args: unknown, text: string): void => {
    examples[what] ??= `\`${tool} ${JSON.stringify(args).slice(0, 100)}\` → ${short(text, box)}`;
  };
  const listed = (await client.request({ method: 'tools/list', params: {} }, anything)) as { tools: readonly Listed[] };
  // The tool that reads the rest of a call that takes long is the gateway's own.
  const tools = gateway.length === 0 ? listed.tools : listed.tools.filter(({ name }) => !own.includes(name));
  const seen = {
    wrong: { tried: 0, refused: 0, taken: 0, silent: 0 },
    right: { tried: 0, ok: 0, failed: 0, hidden: 0, silent: 0 },
    leaks: { stack: 0, path: 0, secret: 0 },
    output: { missing: 0, broken: 0 },
    namesField: 0,
    structuredErrors: 0,
  };
  const ask = async (tool: string, args: unknown): Promise<Reply> => {
    const reply = await call(client, tool, args);
    const given = JSON.stringify(args);
    const path = /(?:\/tmp\/field-box-|\/node_modules\/)[^\s"')]*/.exec(reply.text)?.[0];
    const leaks = {
      stack: stacks.test(reply.text),
      path: reply.told !== 'success' && path !== undefined && !given.includes(path),
      secret: reply.text.includes(secret),
    };
    for (const [what, leaked] of Object.entries(leaks) as [keyof typeof leaks, boolean][]) {
      if (!leaked) continue;
      seen.leaks[what] += 1;
      note(`shows a ${what}`, tool, args, what === 'secret' ? 'the whole environment' : what === 'path' ? (path ?? '') : reply.text);
    }
    if (reply.answer?.isError === true && reply.answer.structuredContent !== undefined) {
      seen.structuredErrors += 1;
      note('structured content on an error', tool, args, JSON.stringify(reply.answer.structuredContent));
    }
    return reply;
  };

  const unknown = await ask('no_such_tool_anywhere', {});
  if (unknown.told === 'success' || unknown.told === 'silence') note('unknown tool', 'no_such_tool_anywhere', {}, unknown.text);
  for (const tool of tools) {
    const { valid, invalid } = inputsOf(tool);
    for (const { args, field } of invalid) {
      const reply = await ask(tool.name, args);
      seen.wrong.tried += 1;
      // Who goes out with wrong arguments has taken them.
      const wentOut = server.isCutOff === true && /ECONNREFUSED|ENOTFOUND|fetch failed/.test(reply.text);
      if (wentOut || (reply.told === 'success' && !looksFailed.test(reply.text))) {
        seen.wrong.taken += 1;
        note('wrong arguments taken', tool.name, args, reply.text);
      } else if (reply.told === 'silence') {
        seen.wrong.silent += 1;
        note('wrong arguments never answered', tool.name, args, '');
      } else {
        seen.wrong.refused += 1;
        if (field === undefined || field === '' || reply.text.includes(field.split('.').at(-1) ?? '')) seen.namesField += 1;
        else note('refusal without the field', tool.name, args, reply.text);
      }
    }
    const isLeftOut = Object.hasOwn(server.leaveOut ?? {}, tool.name);
    const mayRun = !isLeftOut && (server.mayWrite === true || tool.annotations?.readOnlyHint === true);
    for (const { args } of mayRun ? valid : []) judgeRight(tool, args, await ask(tool.name, args), seen, note);
  }
  const findings = gateway.length === 0 ? await judgeTools(client, server) : {};
  const reader = tools.find(({ annotations }) => annotations?.readOnlyHint === true) ?? tools[0];
  const afterCancel = reader === undefined ? 'answers' : await cancelOne(client, reader);
  await transport.send('this is no message' as never).catch(() => undefined);
  const afterJunk = await isThere(client);
  await client.close();
  const { name, version, isCutOff = false } = server;
  return {
    name,
    version,
    isCutOff,
    tools: tools.length,
    withOutput: tools.filter(({ outputSchema }) => outputSchema !== undefined).length,
    withHints: tools.filter(({ annotations }) => annotations?.readOnlyHint !== undefined).length,
    unknownTool: unknown.told,
    ...seen,
    afterCancel,
    afterJunk,
    isNoisy: noise() > 0,
    findings,
    examples,
  };
}

type Seen = Pick<FieldResult, 'right' | 'output'> & { readonly right: Record<string, number>; readonly output: Record<string, number> };

function judgeRight(
  { name, outputSchema }: Listed,
  args: unknown,
  { told, text, answer }: Reply,
  seen: Seen,
  note: (what: string, tool: string, args: unknown, text: string) => void,
): void {
  const count = (part: Record<string, number>, key: string): void => {
    part[key] = (part[key] ?? 0) + 1;
  };
  count(seen.right, 'tried');
  if (told === 'silence') {
    count(seen.right, 'silent');
    note('right arguments never answered', name, args, '');
  } else if (told !== 'success') {
    count(seen.right, 'failed');
  } else if (looksFailed.test(text)) {
    count(seen.right, 'hidden');
    note('error told as success', name, args, text);
  } else count(seen.right, 'ok');
  if (told !== 'success' || looksFailed.test(text) || outputSchema === undefined) return;
  if (answer?.structuredContent === undefined) {
    count(seen.output, 'missing');
    note('output schema without structured content', name, args, text);
    return;
  }
  const checked = fromJsonSchema(outputSchema)['~standard'].validate(answer.structuredContent) as { readonly issues?: readonly object[] };
  if (checked.issues === undefined) return;
  count(seen.output, 'broken');
  note('structured content breaks the output schema', name, args, JSON.stringify(answer.structuredContent));
}

/** The SDK would refuse what a server really says. */
const anything = { safeParse: (data: unknown) => ({ success: true, data }), parse: (data: unknown) => data } as never;

async function call(client: Client, name: string, args: unknown): Promise<Reply> {
  try {
    const params = { name, arguments: args as Record<string, unknown> };
    const answer = (await client.request({ method: 'tools/call', params }, anything, { timeout: patienceMs })) as Answer;
    const text = (answer.content ?? []).map((block) => (typeof block.text === 'string' ? block.text : '')).join('\n');
    return { told: answer.isError === true ? 'error result' : 'success', text, answer };
  } catch (thrown) {
    const { code, message } = thrown as { readonly code?: number; readonly message: string };
    const isSilence = code === -32001 || code === -32000;
    return { told: isSilence ? 'silence' : 'protocol error', text: message };
  }
}

function inputsOf({ name, inputSchema }: Listed): { valid: InputCase[]; invalid: InputCase[] } {
  const schema = { type: 'object', ...inputSchema };
  let fits: ((value: unknown) => boolean) | undefined;
  try {
    const { validate } = fromJsonSchema(schema)['~standard'];
    fits = (value) => !('issues' in (validate(value) as object)) || (validate(value) as { issues?: unknown }).issues === undefined;
  } catch {
    fits = undefined;
  }
  const all = generateInputs({ schema, examples: [], fits, seed: 1, name });
  const isObject = ({ args }: InputCase): boolean => typeof args === 'object' && args !== null && !Array.isArray(args);
  const of = (sort: InputCase['sort'], most: number) => all.filter((one) => one.sort === sort && isObject(one)).slice(0, most);
  return { valid: of('valid', 3), invalid: of('invalid', 6) };
}

/** Begins a call, cancels it, and looks whether the server still answers. */
async function cancelOne(client: Client, tool: Listed): Promise<FieldResult['afterCancel']> {
  const stop = new AbortController();
  const params = { name: tool.name, arguments: (inputsOf(tool).valid[0]?.args ?? {}) as Record<string, unknown> };
  const going = client
    .request({ method: 'tools/call', params }, anything, { timeout: patienceMs, signal: stop.signal })
    .catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 1));
  stop.abort('no longer needed');
  await going;
  return isThere(client);
}

async function isThere(client: Client): Promise<FieldResult['afterCancel']> {
  try {
    await client.request({ method: 'ping' }, anything, { timeout: patienceMs });
    return 'answers';
  } catch (thrown) {
    return (thrown as { code?: number }).code === -32001 ? 'silent' : 'gone';
  }
}

/** Judges the tools as a client of ours would see them. */
async function judgeTools(client: Client, { mayWrite }: FieldServer): Promise<Record<string, number>> {
  const toolbox = createToolbox(await fromMcp(client as never, { schema: fromJsonSchema }), { report: () => undefined });
  const options = {
    schema: fromJsonSchema,
    timeoutMs: 2_000,
    concurrency: 4,
    allowWrites: mayWrite === true,
    secrets: { 'a secret of the environment': secret },
  };
  const { findings } = await reportOnTools({ list: toolbox.list, answer: toolbox.answer as never }, options);
  const broken = new Map<string, Set<string | undefined>>();
  for (const { check, tool } of findings) broken.set(check, (broken.get(check) ?? new Set()).add(tool));
  return Object.fromEntries([...broken].map(([check, by]) => [check, by.size] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function short(text: string, box: string): string {
  const line = text.replaceAll(box, '…').replaceAll(secret, '(a secret)').replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'");
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}
