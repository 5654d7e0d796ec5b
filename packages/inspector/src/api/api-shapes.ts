import type { JsonValue, ListedCall, ListedTool as ToolOfToolbox } from 'toolpact';

export type {
  Breaker,
  CallDifference,
  Cause,
  CheckResult,
  GatewayServer,
  GatewayTool,
  Health,
  KeptTexts,
  Limit,
  ProgressNews,
  Readings,
  Related,
  ServerFacts,
  ToolDetails,
  WireMessage,
} from '@toolpact/server/page';
export type { Approval, CallPage, Grant, GrantRequest, GrantRule, ListedCall, RecordedCall } from 'toolpact';
export type { CallTrace, StepTrace } from 'toolpact/internal';

/** How a call stands. */
export type CallStatus = ListedCall['status'];

/** A tool as it comes over HTTP. */
export interface ListedTool extends ToolOfToolbox {
  readonly examples: readonly { readonly input: JsonValue; readonly output?: JsonValue }[];
}
