import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { McpOperation, McpTelemetry } from '../../../core/runtime/index.ts';
import type { RecordedServer } from '../../../parts/mcp/index.ts';
import { createFindToolName } from '../routes/find-tool-name.ts';
import type { ServedToolbox } from '../server-options.ts';

/** How the requests of a server of MCP are recorded. */
export interface McpRecording extends RecordedServer {
  readonly telemetry: McpTelemetry;
}

/** The revision in which every request says everything about itself. */
export const modernVersion = '2026-07-28';

const versions: ReadonlySet<string> = new Set([...SUPPORTED_PROTOCOL_VERSIONS, modernVersion]);

/** Tells how requests are recorded; undefined when nobody records. Names that clients make up are kept out of labels. */
export function createMcpRecording(
  telemetry: McpTelemetry | undefined,
  toolbox: Pick<ServedToolbox, 'tools'>,
  transport: McpOperation['transport'],
  hasOthers: boolean,
): McpRecording | undefined {
  if (telemetry === undefined) return undefined;
  const find = createFindToolName(toolbox);
  return {
    telemetry,
    transport,
    nameOf: (name) => {
      const tool = find(name);
      return tool === undefined && hasOthers ? { claimed: name } : { tool };
    },
    isVersion: (version) => versions.has(version),
  };
}
