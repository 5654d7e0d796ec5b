import { fromCarried } from '../frameworks/carried-arguments.ts';
import { type AdapterOptions, answerHost, type CallableToolbox } from '../frameworks/host-tools.ts';
import { callInGraph } from './control-flow.ts';
import type { LangchainCall, LangchainConfig, LangchainMessage } from './core.ts';
import { toHostCall } from './host-call.ts';
import { toToolMessage } from './message.ts';

/** Answers a call that none of the host's tools takes; the toolbox may know the name in another spelling. */
export async function answerLostCall(
  toolbox: CallableToolbox,
  options: AdapterOptions,
  call: LangchainCall,
  config: LangchainConfig,
): Promise<LangchainMessage> {
  const asked = { name: call.name, args: fromCarried(call.args) };
  const ended = await callInGraph<LangchainMessage>(
    (watched) => answerHost(toolbox, 'langchain', options, asked, watched),
    toHostCall(config, call),
  );
  return ended.command ?? toToolMessage(ended.outcome, call, options.dialect);
}
