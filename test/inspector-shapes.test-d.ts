// The page writes down by itself what it reads, because it is compiled for browsers. Here both sides are compared.
import type * as Page from '../src/apps/inspector/api/api-shapes.ts';
import type { Approval, CallPage, CallSummary, ListedCall, RecordedCall } from '../src/parts/guards/index.ts';

type Assert<T extends true> = T;
type Fits<TSent, TRead> = TSent extends TRead ? true : false;
/** What the page knows that the server does not send. */
type Unsent<TRead, TSent> = [Exclude<keyof TRead, keyof TSent>] extends [never] ? true : false;

export type Compared = [
  Assert<Fits<ListedCall, Page.ListedCall>>,
  Assert<Unsent<Page.ListedCall, ListedCall>>,
  Assert<Unsent<ListedCall, Page.ListedCall>>,
  Assert<Fits<RecordedCall, Page.RecordedCall>>,
  Assert<Unsent<RecordedCall, Page.RecordedCall>>,
  Assert<Unsent<Page.RecordedCall, RecordedCall>>,
  Assert<Unsent<Page.CallTrace, NonNullable<RecordedCall['trace']>>>,
  Assert<Unsent<NonNullable<RecordedCall['trace']>, Page.CallTrace>>,
  Assert<Fits<CallPage, Page.CallPage>>,
  Assert<Fits<Approval, Page.Approval>>,
  Assert<Fits<Omit<CallSummary, 'minutes'>, Pick<Page.Health, 'tools' | 'kinds' | 'total' | 'complete'>>>,
];
