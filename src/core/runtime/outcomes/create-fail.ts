import type { RunContext } from '../../contract/index.ts';
import { type FailOptions, type FailureKind, isFailureKind, ToolFailure } from '../../outcome/index.ts';

/** Makes the `fail` of a running tool: it takes a kind or one of the codes that the tool declared. */
export function createFail(failures: Readonly<Record<string, FailureKind>> = {}): RunContext['fail'] {
  return (kindOrCode: string, message: string, options?: FailOptions): ToolFailure => {
    const declared = Object.hasOwn(failures, kindOrCode) ? failures[kindOrCode] : undefined;
    if (declared) return new ToolFailure(declared, message, { ...options, code: kindOrCode });
    return new ToolFailure(isFailureKind(kindOrCode) ? kindOrCode : ('internal' satisfies FailureKind), message, options);
  };
}
