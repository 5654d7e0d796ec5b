export { answerMcpRequests, type McpServerPort } from './answer-mcp-requests.ts';
export { announceTools, createMcpTools, type McpToolbox, type McpTools, type McpToolsOptions } from './create-mcp-tools.ts';
export { encodeMcpResult, type ListedMcpTools, listMcpTools, type McpCall, readMcpCall } from './mcp-call.ts';
export { contextFromMeta, type McpEra, type McpRequest, metaKeys, readMcpRequest } from './mcp-request.ts';
export { type McpAnnotations, type McpTool, toMcpTool } from './mcp-tool.ts';
export { type McpConnectable, type RecordedServer, recordMcpRequests, toRecorded } from './record-mcp-requests.ts';
export { startRecord } from './start-record.ts';
