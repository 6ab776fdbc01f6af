// Faults as data: where one strikes and what it does. A plan is JSON, so that the same file can be printed, replayed, shrunk and
// handed to a proxy before a real API server. What a simulator alone can do is said at the action.

/** `write`: any of create, replace, patch and delete. `event`: an event of a watch on its way to who watches. */
export const verbs = [
  'get',
  'list',
  'watch',
  'create',
  'replace',
  'patch',
  'delete',
  'write',
  'event',
  'any',
] as const;
export type Verb = (typeof verbs)[number];

export const phases = [
  /** The request has left and the server has not seen it. Of an event: before it is delivered. */
  'beforeForward',
  /** The server has carried it out and its reply is under way. */
  'afterForward',
  /** Who asked has the reply and has done nothing with it yet. Of an event: it was delivered. */
  'afterReply',
] as const;
export type Phase = (typeof phases)[number];

/** `next`: the life that follows it in its replica. `other`: any but it, of all replicas. */
export const lives = ['next', 'other'] as const;
export type Life = (typeof lives)[number];

/** What is left out matches anything. */
export type FaultMatch = {
  readonly verb: Verb;
  readonly phase: Phase;
  /** `nodes`, `nodelifecycles.muster.dev/status`. */
  readonly resource?: string;
  readonly name?: string;
  /** `a#1`: the first life of replica a. */
  readonly instance?: string;
  /** Whose, by the last one that the rule before this one in the plan has struck; nobody's until it strikes. */
  readonly life?: Life;
  /** From which match on, counted from 1; from the first when left out. */
  readonly nth?: number;
  /** How many in a row; one when left out. */
  readonly times?: number;
};

export const statusCodes = [401, 403, 404, 409, 410, 422, 429, 500, 503, 504] as const;
export type StatusCode = (typeof statusCodes)[number];

export type FaultAction =
  /** The process ends at this point, and another takes its place after a while. */
  | { readonly kind: 'crash'; readonly restartAfterMs: number }
  /** The connection breaks: before forwarding the server never hears of it, after that only the reply is lost. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'delay'; readonly ms: number }
  /** The server answers this instead of acting. */
  | { readonly kind: 'status'; readonly code: StatusCode; readonly retryAfterSeconds?: number }
  /** Somebody else writes the object first, and takes it back: nothing differs but the resourceVersion. */
  | { readonly kind: 'touch' }
  /** The watch ends: by a reset, in good order, or so that going on from where it was is answered with 410. */
  | { readonly kind: 'cut'; readonly ending: 'reset' | 'closed' | 'expiredStatus' | 'expiredEvent' }
  /** Nothing comes over the watch any more and nobody ends it, until who watches gives it up. In the simulator alone. */
  | { readonly kind: 'silence' }
  /** The event is not delivered before the next one about the same object, a bookmark, or this long. */
  | { readonly kind: 'hide'; readonly msMax: number }
  | { readonly kind: 'duplicate' }
  /** From here on events reach this instance only when the server is this many revisions further, or after `msMax` each. */
  | { readonly kind: 'lag'; readonly revisions: number; readonly msMax: number }
  /** A watch or a list starts from a past state, as of an API server that is behind. */
  | { readonly kind: 'serveAt'; readonly revisionsBack: number }
  /** The process is stopped and goes on later; nothing that it is told meanwhile is lost. */
  | { readonly kind: 'pause'; readonly ms: number }
  /** The wall clock of the process jumps. In the simulator alone. */
  | { readonly kind: 'clock'; readonly byMs: number }
  /** The wall clock of the process is wrong by so much from here on, however often it is struck. In the simulator alone. */
  | { readonly kind: 'skew'; readonly byMs: number }
  /** All clocks of the process run at this speed from here on; 100 is right. In the simulator alone. */
  | { readonly kind: 'rate'; readonly percent: number }
  /** The server does not know the resource for a while. */
  | { readonly kind: 'unserved'; readonly ms: number };

export type FaultRule = { readonly match: FaultMatch; readonly action: FaultAction };

export type FaultPlan = {
  /** So many replicas that all lead all the time; left out, they elect a leader as the scenario says. */
  readonly leaders?: number;
  readonly rules: readonly FaultRule[];
};

export const noFaults: FaultPlan = { rules: [] };
