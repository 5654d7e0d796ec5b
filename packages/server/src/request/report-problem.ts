import { classify } from 'toolpact';
import { createProblemLog } from 'toolpact/internal';
import type { ServedToolbox } from '../server-options.ts';

/** Reports an error of a part of the server to the operator; gives the debug id that the caller is told instead. */
export type ReportProblem = (where: string, error: unknown) => string;

/** Creates the report of problems: as `problem` events to the listeners of the toolbox, and to the console at most once a minute. */
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
