export { answerMcpRequests, type McpServerPort } from './answer-mcp-requests.ts';
export { metaKeys } from './context-from-meta.ts';
export { announceTools, createMcpTools, type McpToolbox, type McpTools, type McpToolsOptions } from './create-mcp-tools.ts';
export { type ListedMcpTools, listMcpTools, offeredMcpTools } from './list-mcp-tools.ts';
export { encodeMcpResult, readMcpCall } from './mcp-call.ts';
export { type McpRequest, readMcpRequest } from './mcp-request.ts';
export { type McpTool, toMcpTool } from './mcp-tool.ts';
export { type RecordedServer, recordMcpRequests, toRecorded } from './record-mcp-requests.ts';
export { startRecord } from './start-record.ts';
