// The version of this build: set by the bundler, `dev` when run from source.

declare const MUSTER_VERSION: string | undefined;

export const version: string = typeof MUSTER_VERSION === 'undefined' ? 'dev' : MUSTER_VERSION;
