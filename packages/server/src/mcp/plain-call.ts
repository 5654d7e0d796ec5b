import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  LOG_LEVEL_META_KEY,
  MissingRequiredClientCapabilityError,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { isRecord, type McpRequest, startRecord, toRecorded } from 'toolpact/internal';
import type { RequestHead } from '../request/request-head.ts';
import type { ServedToolbox } from '../server-options.ts';
import type { McpCaller } from './caller.ts';
import { createNeedsTask } from './needs-task.ts';
import { modernVersion } from './recording.ts';
import type { McpServers } from './servers.ts';
import type { McpSettings } from './settings.ts';

/** Reads a plain call and gives what answers it without the SDK; undefined for every request that is anything else. */
export type ReadPlainCall = (head: Pick<RequestHead, 'header' | 'client'>, body: unknown) => AnswerPlainCall | undefined;

/** Answers a plain call. */
export type AnswerPlainCall = (caller: McpCaller) => Promise<JsonRpcAnswer>;

/** The answer to a call, as JSON-RPC writes it. */
export interface JsonRpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

type Fields = Readonly<Record<string, unknown>>;
type ReadHeader = (name: string) => string | undefined;

const requestKeys: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const paramKeys: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);
/** The most envelopes that are remembered, and the most characters of each: 2 MB in all. */
const maxEnvelopes = 1_000;
const longestEnvelope = 2_048;

/**
 * Creates the reader of plain calls: one JSON-RPC request for a tool of the toolbox, in a known revision, outside of any session, without
 * progress and without an answer to an earlier question. What it does not know for sure it leaves to the SDK.
 */
export function createReadPlainCall(
  toolbox: Pick<ServedToolbox, 'tools' | 'list' | 'resolveName'>,
  servers: Pick<McpServers, 'callTool' | 'withHeaders' | 'info' | 'hasOthers' | 'recording'>,
  settings: Pick<McpSettings, 'requireTasks'> = {},
): ReadPlainCall {
  const { callTool, info, hasOthers, recording } = servers;
  const plainNames = createPlainNames(toolbox, servers);
  const needsTask = createNeedsTask(toolbox, settings);
  // Unknown names are answered in the same way: a difference would reveal which tools there are.
  const isPlain = (name: string): boolean => (!hasOthers || plainNames().has(name)) && needsTask?.(name) !== true;
  /** The descriptions of clients that the SDK has accepted. Clients repeat them with every request, so each is checked once. */
  const envelopes = new Set<string>();

  const envelopeOf = ({ [CLIENT_INFO_META_KEY]: client, [CLIENT_CAPABILITIES_META_KEY]: capabilities }: Fields): string =>
    JSON.stringify([client, capabilities]);

  function isSound(header: ReadHeader, body: Fields, meta: Fields): boolean {
    if (envelopes.has(envelopeOf(meta))) return true;
    const protocolVersionHeader = header('mcp-protocol-version') ?? '';
    return classifyInboundRequest({ httpMethod: 'POST', body, protocolVersionHeader }).kind === 'modern';
  }

  /** Remembers an envelope that was found sound. Called for callers whose credential was checked, and for no others. */
  function remember(meta: Fields): void {
    const envelope = envelopeOf(meta);
    if (envelope.length > longestEnvelope || envelopes.has(envelope)) return;
    if (envelopes.size >= maxEnvelopes) envelopes.clear();
    envelopes.add(envelope);
  }

  function eraOf(header: ReadHeader, body: Fields, name: string, meta: Fields): McpRequest['era'] | undefined {
    const version = header('mcp-protocol-version');
    if (!(PROTOCOL_VERSION_META_KEY in meta)) {
      const accept = header('accept');
      const isAccepted = accept?.includes('application/json') === true && accept.includes('text/event-stream');
      return isAccepted && (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) ? 'handshake' : undefined;
    }
    const isModern = meta[PROTOCOL_VERSION_META_KEY] === modernVersion && version === modernVersion;
    if (!isModern || header('mcp-method') !== 'tools/call' || header('mcp-name') !== name) return undefined;
    return !(LOG_LEVEL_META_KEY in meta) && isSound(header, body, meta) ? 'stateless' : undefined;
  }

  return (head, body) => {
    if (!isFields(body) || body.method !== 'tools/call' || body.jsonrpc !== '2.0' || !hasOnly(body, requestKeys)) return undefined;
    const { id, params } = body;
    if ((typeof id !== 'string' && !Number.isSafeInteger(id)) || !isFields(params) || !hasOnly(params, paramKeys)) return undefined;
    const { name, _meta: meta = noMeta } = params;
    if (typeof name !== 'string' || !isPlain(name) || !isFields(meta) || 'progressToken' in meta) return undefined;
    const { header } = head;
    if (header('content-type') !== 'application/json' || header('mcp-session-id') !== undefined) return undefined;
    const era = eraOf(header, body, name, meta);
    if (era === undefined) return undefined;
    return async (caller) => {
      if (era === 'stateless') remember(meta);
      const { signal } = head.client();
      const mcpReq = { signal, _meta: meta, ...(era === 'stateless' && { envelope: meta }) };
      const call = (): Promise<object> => callTool(params, { era, meta, signal, host: { mcpReq } }, caller);
      const record =
        recording &&
        startRecord(recording.telemetry, () =>
          toRecorded({ id: id as string | number, method: 'tools/call', params }, header, undefined, undefined, recording),
        );
      let result: object;
      try {
        result = await (record === undefined ? call() : record.within(call));
      } catch (error) {
        if (!(error instanceof MissingRequiredClientCapabilityError)) throw error;
        const { code, message, data } = error;
        record?.end({ error: { code, message } });
        return { error: { code, message, data }, jsonrpc: '2.0', id: id as string | number };
      }
      record?.end({ result });
      return { result: era === 'stateless' ? stamp(result) : result, jsonrpc: '2.0', id: id as string | number };
    };
  };

  function stamp(result: Fields | object): object {
    const { _meta: meta, resultType = 'complete', ...rest } = result as Fields;
    return { ...rest, resultType, _meta: { ...(meta as Fields | undefined), [SERVER_INFO_META_KEY]: info } };
  }
}

/** Returns the names of tools that need no SDK, read once for as long as the tools are the same. */
function createPlainNames(
  toolbox: Pick<ServedToolbox, 'tools' | 'list'>,
  servers: Pick<McpServers, 'withHeaders'>,
): () => ReadonlySet<string> {
  let namesOfTools: { readonly tools: unknown; readonly names: ReadonlySet<string> } | undefined;
  return () => {
    const { tools } = toolbox;
    if (namesOfTools?.tools !== tools) {
      const heard = new Set(servers.withHeaders.map(({ name }) => name));
      namesOfTools = {
        tools,
        names: new Set(toolbox.list().flatMap(({ providerName }) => (heard.has(providerName) ? [] : [providerName]))),
      };
    }
    return namesOfTools.names;
  };
}

const noMeta: Fields = Object.freeze({});

function isFields(value: unknown): value is Fields {
  return isRecord(value);
}

function hasOnly(fields: Fields, keys: ReadonlySet<string>): boolean {
  for (const key in fields) if (!keys.has(key)) return false;
  return true;
}
