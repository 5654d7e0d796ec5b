/** The environment in which no framework tells its makers about a run. */
export const quietFrameworks = {
  DO_NOT_TRACK: '1',
  MASTRA_TELEMETRY_DISABLED: '1',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  LANGCHAIN_TRACING_V2: 'false',
};
