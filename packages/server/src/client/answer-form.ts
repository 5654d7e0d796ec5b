import type { Dialect } from 'toolpact/dialects';

/** The form in which a client asks for answers: outcomes as they are, or a dialect. */
export type AnswerForm = 'outcome' | Dialect;

/** Names a form, as servers do. */
export function formName(form: AnswerForm): string {
  return form === 'outcome' ? form : form.name;
}

/** Writes the query that asks for a form with all its parts, so that nothing is lost on the way back. */
export function formQuery(form: AnswerForm): string {
  return form === 'outcome' ? '' : `?dialect=${encodeURIComponent(form.name)}&strict=false`;
}
