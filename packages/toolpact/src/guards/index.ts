// The guards with which a toolbox keeps what its tools declare. Those for users are in `public.ts`.

export { cache } from './results/cache.ts';
export { retry } from './retry.ts';
