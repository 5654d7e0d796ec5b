import { coded, codedRequests } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { value } from '@toolpact/origins/value';
import type { ServerOptions } from '@toolpact/server';
import { dialects as library } from 'toolpact/dialects';
import type { Dialect } from 'toolpact/extend';
import type { DialectName } from './dialect-names.ts';

const originDialects = Object.freeze({ flat, coded, value, status });

/** The options of a server that answers in the dialects of the origins, and takes requests in the form of 002. */
export const originOptions = { dialects: Object.values(originDialects), routes: codedRequests } as const satisfies ServerOptions;

/** All nine dialects by name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = Object.freeze({ ...originDialects, ...library });
