/** What the library refused. */
export class KeyholeError extends Error {
  /** The number of an ErrorCode of error.h. */
  readonly code: number;
}

/** As many numbers as a set has coordinates. */
export type Point = ArrayLike<number>;

/** A point to play. */
export interface Play {
  readonly play: number;
  readonly point: Float64Array;
}

/** How a tell was taken: only what is fresh is learned from. */
export type Receipt = 'fresh' | 'repeated' | 'expired' | 'late';

/** What a learner is doing and what it believes. NaN is what it does not know. */
export interface Status {
  readonly asked: number;
  readonly told: number;
  readonly pending: number;
  readonly missing: number;
  readonly restarts: number;
  readonly oracleCalls: number;
  readonly average: number;
  readonly recentAverage: number;
  readonly exploring: number;
  readonly reach: number;
  readonly noise: number;
  readonly gain: number;
  readonly gainError: number;
  readonly curvature: number;
  readonly fit: number;
}

export interface Learner {
  readonly set: KeyholeSet;
  readonly spec: string;
  ask(): Play;
  tell(play: Play | number, loss: number, count?: number): Receipt;
  learn(point: Point, loss: number, count?: number): void;
  explore(on: boolean): void;
  recommend(): Float64Array;
  estimate(points: Point[]): {loss: number; error: number}[];
  status(): Status;
  state(): Uint8Array;
  restore(state: Uint8Array): void;
  /** Gives its memory back at once. */
  free(): void;
}

export interface LearnerOptions {
  /** Its spec; the default needs no tuning. */
  algorithm?: string;
  /** Same seed, same digits: a whole number from 0 to 2^53 - 1. */
  seed?: number;
  /** How many of the latest plays can be told. */
  window?: number;
  /** Whether gains are told, in place of losses. */
  maximize?: boolean;
}

export interface KeyholeSet {
  readonly spec: string;
  readonly dimension: number;
  readonly innerRadius: number;
  readonly outerRadius: number;
  readonly diameter: number;
  readonly centre: Float64Array;
  contains(point: Point): boolean;
  minimise(direction: Point): Float64Array;
  learner(options?: LearnerOptions): Learner;
  /** Gives its memory back at once; learners on it go on. */
  free(): void;
}

export interface Keyhole {
  readonly version: string;
  /** The set of a spec, as "simplex(3)". */
  set(spec: string): KeyholeSet;
  /** The learner of a state, which any build of Keyhole may have written. */
  open(state: Uint8Array): Learner;
}

/** Loads the library: from keyhole.wasm next to keyhole.js, or from bytes or a module. */
export function load(source?: BufferSource | WebAssembly.Module): Promise<Keyhole>;
