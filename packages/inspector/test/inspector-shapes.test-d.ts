// The page cannot import what runs on a server, because it is compiled for browsers: it writes these shapes down by itself. Here both sides are compared.

import type { CallSummary } from '@toolpact/server/client';
import type { CallPage } from 'toolpact';
import type * as Page from '../src/api/api-shapes.ts';

type Assert<T extends true> = T;
type Fits<TSent, TRead> = TSent extends TRead ? true : false;

export type Compared = [
  Assert<Fits<CallPage, Page.CallPage>>,
  Assert<Fits<Omit<CallSummary, 'minutes'>, Pick<Page.Health, 'tools' | 'kinds' | 'effects' | 'unread' | 'total' | 'complete'>>>,
];
