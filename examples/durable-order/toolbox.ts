import { createToolbox } from 'toolpact';
import { onRestate } from 'toolpact/engines/restate';
import { order } from './order.ts';

/** The tool on Restate: callers send calls there, and workers run them. */
export const createOrders = (ingress: string) => createToolbox([order], { use: [onRestate({ ingress })] });
