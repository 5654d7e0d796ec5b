/** Checks whether an error's class says that the program itself is wrong, whatever its message says. */
export function isBugName(name = ''): boolean {
  return /^(Type|Reference|Range|Syntax|Eval|URI|Internal|Assertion)Error$/.test(name);
}
