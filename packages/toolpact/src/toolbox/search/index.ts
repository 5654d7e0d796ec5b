export { createFindTools, type FindTools, type FoundTool } from './find-tools.ts';
export { callToolName, createSearchTools, readCallTool, searchToolName } from './search-tools.ts';
