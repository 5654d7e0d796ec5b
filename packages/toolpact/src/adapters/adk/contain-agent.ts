import { createEventId } from '../../events/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import { findInside, type ModelDialect } from '../../runtime/index.ts';
import { type CallableToolbox, readAdapterOptions } from '../frameworks/host-tools.ts';
import { textFor } from '../frameworks/tell-model.ts';

/** An agent of ADK, as far as its runs are concerned. */
export interface AdkAgent {
  readonly name: string;
  readonly subAgents: readonly AdkAgent[];
  runAsync(invocation: never): AsyncGenerator<object, void, void>;
  runLive(invocation: never): AsyncGenerator<object, void, void>;
}

/** How a contained agent answers. */
export interface ContainAgentOptions {
  /** The form of its answer. @default that of the toolbox's preset, or else the marked text */
  readonly dialect?: ModelDialect;
}

/**
 * Lets an agent, and those below it, end with an answer instead of an exception that would end the whole run: as the tools of the toolbox do, in the same
 * form, with the same report, events and telemetry. Changes the agent and gives it back; a clone of it is not contained.
 */
export function containAgent<TAgent extends AdkAgent>(agent: TAgent, toolbox: CallableToolbox, options: ContainAgentOptions = {}): TAgent {
  const { dialect } = readAdapterOptions('containAgent', toolbox, options, { dialect: true });
  for (const below of agent.subAgents) containAgent(below, toolbox, options);
  for (const method of ['runAsync', 'runLive'] as const) {
    const run = agent[method];
    const value = (invocation: AdkInvocation) => contained(run.call(agent, invocation as never), invocation);
    Object.defineProperty(agent, method, { value, configurable: true, writable: true });
  }
  return agent;

  async function* contained(events: AsyncGenerator<object, void, void>, invocation: AdkInvocation): AsyncGenerator<object, void, void> {
    try {
      yield* events;
    } catch (thrown) {
      // ADK leaves a run that its caller stopped without a word.
      if (invocation.abortSignal?.aborted === true) return;
      const outcome = findInside(toolbox)?.answerThrown(agent.name, thrown, { adapter: 'adk' });
      if (outcome === undefined) throw thrown;
      yield toEvent(outcome, agent.name, invocation, textFor(outcome, dialect));
    }
  }
}

/** The part of ADK's invocation that an agent gets. */
interface AdkInvocation {
  readonly invocationId: string;
  readonly branch?: string;
  readonly abortSignal?: AbortSignal;
}

/** Creates the event with which an agent ends, as ADK makes its own. */
function toEvent(outcome: Outcome, author: string, { invocationId, branch }: AdkInvocation, text: string): object {
  return {
    [Symbol.for('google.adk.event')]: true,
    id: createEventId(),
    invocationId,
    author,
    branch,
    timestamp: Date.now(),
    content: { role: 'model', parts: [{ text }] },
    ...(outcome.status === 'error' && { errorCode: outcome.error.kind, errorMessage: outcome.error.message }),
    actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} },
    longRunningToolIds: [],
  };
}
