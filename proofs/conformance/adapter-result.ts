import type { Finding } from '@toolpact/testing';
import type { Column } from '../battery/measurement.ts';
import { wraps } from '../battery/wraps.ts';
import { type AdapterResult, toBroken } from './results.ts';

/** A host of an adapter as it is checked in, with what `checkAdapter` found there. */
export function toAdapterResult(
  { name, title, adapter, versions }: Pick<Column, 'name' | 'title' | 'adapter' | 'versions'>,
  findings: readonly Finding[],
): AdapterResult {
  return { title, adapter, versions, wraps: Object.hasOwn(wraps, name), broken: toBroken(findings) };
}
