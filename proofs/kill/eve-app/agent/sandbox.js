import { defineSandbox } from 'eve/sandbox';
import { JustBashSandbox } from 'eve/sandbox/just-bash';

// A sandbox that needs neither Docker nor a virtual machine.
export const environment = JustBashSandbox.environment();
export default defineSandbox(() => environment.open());
