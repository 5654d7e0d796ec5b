import { insideOf } from 'toolpact/extend';
import type { RestateIngress } from './restate-ingress.ts';

/** Where the calls of a toolbox are sent. */
export interface RestateEngine {
  readonly name: 'restate';
  readonly service: string;
  readonly ingress: RestateIngress;
}

/** Finds where the calls of a toolbox are sent; undefined for one without the guard `onRestate`. */
export function findRestateEngine(toolbox: unknown): RestateEngine | undefined {
  const { engine } = insideOf(toolbox);
  return engine?.name === 'restate' ? (engine as RestateEngine) : undefined;
}
