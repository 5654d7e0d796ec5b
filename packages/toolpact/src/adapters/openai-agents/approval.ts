/** Whether a tool needs approval, in the SDK's own words. */
type NeedsApproval = (runContext: unknown, input: unknown, callId?: string) => Promise<boolean>;

/** Finds the SDK's own way to say that a tool needs no approval. */
export interface Approval {
  /** Looks for it where the SDK makes a tool of its own: an agent as a tool. */
  readonly learnFrom: (agent: unknown) => void;
  readonly needed: () => NeedsApproval;
}

const never: NeedsApproval = async () => false;

/**
 * Creates the runner take arguments that are no object. It stops a run to have them approved unless it knows that a tool never needs approval,
 * and it knows that only of functions it made itself.
 */
export function approvalOf(): Approval {
  let own: NeedsApproval | undefined;
  return {
    learnFrom(agent) {
      own ??= readOwn(agent);
    },
    needed: () => own ?? never,
  };
}

function readOwn(agent: unknown): NeedsApproval | undefined {
  try {
    const { asTool } = agent as { asTool: (options: object) => { needsApproval?: NeedsApproval } };
    return asTool.call(agent, { toolName: 'unused', toolDescription: 'Unused.' }).needsApproval;
  } catch {
    return undefined;
  }
}
