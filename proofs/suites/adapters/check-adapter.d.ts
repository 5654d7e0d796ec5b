import { type Finding } from '../../../packages/testing/src/define-check.ts';
import type { AdapterSubject } from './adapter-subject.ts';
/** Judges an adapter, one of ours or of anyone else: whether flag, text, code and call id of every kind of outcome arrive, in both directions. */
export declare function checkAdapter(adapter: AdapterSubject): Promise<readonly Finding[]>;
