/** The forms a server can be asked for. */
export type AnswerForm = 'outcome' | 'flat' | 'coded' | 'value' | 'status' | 'problem';
