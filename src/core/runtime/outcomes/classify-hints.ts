import type { ClassifyHints } from '../../outcome/index.ts';
import type { Call } from '../call.ts';

/** Says how the errors of a call are read: as its tool states, or else its toolbox. */
export function classifyHints({
  plan,
  settings,
  isStopped,
}: Call): Required<Pick<ClassifyHints, 'expose' | 'classify' | 'redactor' | 'stopped'>> {
  const { redactor } = settings;
  return { expose: plan.expose ?? settings.expose, classify: plan.classify ?? settings.classify, redactor, stopped: isStopped };
}
