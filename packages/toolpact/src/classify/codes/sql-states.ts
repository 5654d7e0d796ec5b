import { type CodeTable, lookUp, type Reading } from '../reading.ts';

/** Reads a SQLSTATE: its own meaning, or that of its class, which is its first two characters. */
export function readSqlState(code: string): readonly Reading[] {
  const exact = lookUp(states, code);
  return exact.length > 0 ? exact : lookUp(classes, code.slice(0, 2));
}

const states: CodeTable = {
  '08003': ['not_ready', 60], // connection does not exist
  '08P01': ['invalid_input', 61], // protocol violation: wrong number of parameters
  '22001': ['too_large', 76], // string data right truncation
  '23000': ['conflict', 60], // integrity constraint violation
  '23503': ['conflict', 60], // foreign key violation
  '23505': ['conflict', 60], // unique violation
  '23P01': ['conflict', 60], // exclusion violation
  '25006': ['forbidden', 70], // read only transaction
  '42501': ['forbidden', 70], // insufficient privilege
  '42703': ['not_found', 60], // undefined column
  '42P01': ['not_found', 60], // undefined table
  '42P04': ['conflict', 60], // duplicate database
  '42P07': ['conflict', 60], // duplicate table
  '53100': ['budget_exhausted', 60], // disk full
  '53300': ['rate_limited', 60], // too many connections
  '55P03': ['conflict+', 70], // lock not available
  '57014': ['cancelled', 52], // query cancelled
  '57P03': ['not_ready', 60], // cannot connect now
  HYT00: ['timeout', 60], // timeout expired
  HYT01: ['timeout', 60], // connection timeout expired
};

const classes: CodeTable = {
  '08': ['unreachable', 70], // connection exception
  '0A': ['unsupported', 60], // feature not supported
  '22': ['invalid_input', 61], // data exception
  '23': ['invalid_input', 61], // integrity constraint violation
  '25': ['internal', 90], // invalid transaction state
  '28': ['unauthenticated', 60], // invalid authorization specification
  '3D': ['not_found', 60], // invalid catalog name
  '40': ['conflict+', 70], // transaction rollback
  '42': ['invalid_input', 61], // syntax error or access rule violation
  '53': ['upstream', 70], // insufficient resources
  '54': ['too_large', 76], // program limit exceeded
  '55': ['conflict', 60], // object not in prerequisite state
  '57': ['upstream', 70], // operator intervention
  XX: ['internal', 90], // internal error
};
