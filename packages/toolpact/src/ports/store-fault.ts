/** Says what is wrong with a store. Unlike the words of a store itself, these may be shown. */
export class StoreFault extends Error {}
