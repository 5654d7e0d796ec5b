/** What must hold for every engine. */
export declare const engineChecks: import("@toolpact/testing").Check<import("./engine-check.ts").EngineSubject>[];
