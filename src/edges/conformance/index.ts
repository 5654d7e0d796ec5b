export { checkDialect } from './check-dialect.ts';
export { type Check, type CheckDefinition, defineCheck, type Finding, type Level, type Problem } from './define-check.ts';
