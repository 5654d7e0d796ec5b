import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { McpOperation, McpTelemetry } from 'toolpact/extend';
import type { RecordedServer } from 'toolpact/internal';
import type { ServedToolbox } from '../server-options.ts';

/** How the requests of a server of MCP are recorded. */
export interface McpRecording extends RecordedServer {
  readonly telemetry: McpTelemetry;
}

/** The revision in which every request says everything about itself. */
export const modernVersion = '2026-07-28';

const versions: ReadonlySet<string> = new Set([...SUPPORTED_PROTOCOL_VERSIONS, modernVersion]);

/** Says how requests are recorded; undefined without telemetry. Names that clients make up are kept out of labels. */
export function createMcpRecording(
  telemetry: McpTelemetry | undefined,
  toolbox: Pick<ServedToolbox, 'resolveName'>,
  transport: McpOperation['transport'],
  hasOthers: boolean,
): McpRecording | undefined {
  if (telemetry === undefined) return undefined;
  return {
    telemetry,
    transport,
    nameOf: (name) => {
      const tool = toolbox.resolveName(name);
      return tool === undefined && hasOthers ? { claimed: name } : { tool };
    },
    isVersion: (version) => versions.has(version),
  };
}
