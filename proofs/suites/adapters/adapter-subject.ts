import type { AnyTool, Toolbox } from 'toolpact';

/** An adapter together with its host, as the checks see them. */
export interface AdapterSubject {
  readonly name: string;
  /** Makes a real run in the host, whose model makes this one call and then ends. */
  readonly run: (run: AdapterRun) => Promise<AdapterAnswer>;
  /** For adapters that also wrap a host's own tools: gives the toolbox to the host and takes the host's tools back. */
  readonly wrap?: (toolbox: Toolbox<readonly AnyTool[]>) => readonly AnyTool[] | Promise<readonly AnyTool[]>;
}

/** One call through an adapter. */
export interface AdapterRun {
  readonly toolbox: Toolbox<readonly AnyTool[]>;
  /** The model's call: under which id, with which arguments, as a value and as JSON text. */
  readonly call: { readonly id: string; readonly name: string; readonly args: unknown; readonly json: string };
}

/** The answer that arrived on the other side. */
export interface AdapterAnswer {
  /** All that the model was sent back under the call's id: text as it is, anything else as JSON. Absent if nothing was. */
  readonly text?: string | undefined;
  /** The host's own failure flag; absent where it has none. */
  readonly failed?: boolean | undefined;
  /** Whether the run reached its end. */
  readonly ended: boolean;
}
