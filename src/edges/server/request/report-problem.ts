import { createProblemLog } from '../../../core/events/index.ts';
import { classify } from '../../../core/outcome/index.ts';
import type { ServedToolbox } from '../server-options.ts';

/** Gives what a part of the server threw to the operator, and its debug id, which the caller is given instead. */
export type ReportProblem = (where: string, error: unknown) => string;

/** Makes what reports problems: as `problem` events to the listeners of the toolbox, and to the console at most once a minute. */
export function createReportProblem({ emit }: Pick<ServedToolbox, 'emit'>): ReportProblem {
  // No listener counts as one that took it: those of a toolbox may watch for something else.
  const { add } = createProblemLog(() => false);
  return (where, error) => {
    const debugId = crypto.randomUUID();
    emit({ type: 'problem', where, message: classify(error).message, debugId });
    add({ where: `${where} [debugId ${debugId}]`, error });
    return debugId;
  };
}
