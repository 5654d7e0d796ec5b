export { type ContainStraysOptions, containStrays, type Stray } from './contain-strays.ts';
