/** Creates an id for the run of an agent or graph. */
export function createRunId(): string {
  return `run_${crypto.randomUUID().replaceAll('-', '')}`;
}
