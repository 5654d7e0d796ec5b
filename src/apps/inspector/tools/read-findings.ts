/** What `check` answers: a list of findings, or an object that holds one. */
export type CheckResult = readonly unknown[] | { readonly findings?: readonly unknown[] };

/** What is shown of a finding. */
export interface ShownFinding {
  readonly name: string;
  readonly text: string;
}

/** Reads the findings of a check. Servers of other versions may name things otherwise; what is not known is shown as JSON. */
export function readFindings(result: CheckResult): readonly ShownFinding[] {
  const list = Array.isArray(result) ? result : ((result as { readonly findings?: readonly unknown[] }).findings ?? []);
  return list.map((finding) => {
    const { rule, check, id, code, message, text } = (finding ?? {}) as Readonly<Record<string, unknown>>;
    return { name: String(rule ?? check ?? id ?? code ?? 'finding'), text: String(message ?? text ?? JSON.stringify(finding)) };
  });
}
