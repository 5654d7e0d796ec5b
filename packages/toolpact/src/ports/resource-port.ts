import type { Expose } from '../classify/index.ts';
import type { CallContext } from '../contract/index.ts';
import type { EventProblem } from '../events/index.ts';
import type { Meta, Redactor } from '../outcome/index.ts';

/** Keeps the resources of a toolbox; `createResources` creates one. */
export interface ResourcePort {
  /** Checks whether a type of resource is known. */
  readonly has: (type: string) => boolean;
  /** Begins what one call holds. Nothing is opened before the call asks for something. */
  readonly lease: (call: ResourceUser) => ResourceLease;
  /** Returns what goes wrong where no caller sees it to a toolbox, whose listeners get it as a `problem` event. */
  readonly watch?: (listener: (problem: EventProblem) => void) => void;
}

/** A call as the keeper of resources sees it. */
export interface ResourceUser {
  readonly tenantId: string;
  readonly invocationId: string;
  readonly context: CallContext;
  readonly settings: { readonly redactor: Redactor; readonly expose: Expose };
}

/** The resources that one call holds. */
export interface ResourceLease {
  /** Their part of the outcome's meta. */
  readonly meta: Pick<Meta, 'resourceType' | 'sessionId' | 'temporarySession'>;
  /** Returns a value, opened if need be. Rejects with a `ToolFailure`, also once the call has ended. */
  readonly get: (wanted: string | { readonly type: string }) => Promise<unknown>;
  /** Returns everything back. A tool that goes on after its call has ended keeps what it holds for a little longer. */
  readonly end: (goesOn: boolean) => void;
}
