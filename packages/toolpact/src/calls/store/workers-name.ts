/** The name under which all workers of a store give their sign of life together. */
export const workersName = 'workers';
