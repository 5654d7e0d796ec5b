import { coded, codedRequests } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { value } from '@toolpact/origins/value';
import type { ServerOptions } from '../src/index.ts';

/** The dialects of the origins, which a server has when it is given them. */
export const originDialects = [flat, coded, value, status] as const;

/** The options with which the command line serves: all dialects, and requests in the form of 002. */
export const withOrigins: ServerOptions = { dialects: originDialects, routes: codedRequests };
