// The types of keyhole.js. What goes over the wire is in openapi.d.ts, which is generated.

import type {Context, Label, NewStudy, Past, Plays, Problem, Proof, Receipts, Study as Shown, Tells, Values} from './openapi.js';

export type {Context, Label, NewStudy, Problem, Proof, Values};
export type Play = Plays[number];
export type Tell = Tells[number];
export type Receipt = Receipts[number];
export type PastLoss = Past['losses'][number];

/** What a service refused, or that it does not answer. */
export class KeyholeError extends Error {
  /** Of HTTP; 0 if there was no answer. */
  readonly status: number;
  /** The word of the error: 'unknown_study'. */
  readonly code: string;
  /** What the service said of it. */
  readonly problem: Partial<Problem>;
}

export interface ClientOptions {
  /** That of 'keyhole token new'. */
  token?: string;
  /** For how many seconds calls are made again that fail for a while: 10. */
  patience?: number;
  /** For how many seconds one call may wait for its answer: 60. */
  timeout?: number;
}

/** The studies of a service. */
export class Client {
  constructor(url: string, options?: ClientOptions);
  /** A new study, or the one of that name if it is made of the same. */
  create(description: NewStudy): Promise<Study>;
  /** The study of a name, which must be there. */
  open(name: string): Promise<Study>;
  /** The names of all studies, in order. */
  list(): Promise<string[]>;
  /** The studies that have these: a text in their name or note, a tag, a beginning of their name. */
  find(search?: {text?: string; tag?: string; prefix?: string}):
    Promise<{name: string; note: string; tags: string[]}[]>;
  /** Deletes a study and all that it learned. */
  remove(name: string): Promise<void>;
  /** Brings back the study of that name that was deleted last, if the service keeps it. */
  undelete(name: string): Promise<Study>;
}
export function connect(url: string, options?: ClientOptions): Client;

/** A study of a service. */
export class Study {
  readonly name: string;
  /** The next play. A worker with a name gets the play again that it has not told. */
  ask(worker?: string, context?: Context): Promise<Play>;
  /** What a play has cost; how it was taken. */
  tell(play: number, loss: number, more?: Omit<Tell, 'play' | 'loss'>): Promise<Receipt>;
  /** What several plays have cost: all of it is taken, or nothing. */
  tellAll(tells: Tell[]): Promise<Receipt[]>;
  /** Tells and asks as one unit. With the name of a worker it is made again until it is known to be
   *  done, and done once. */
  step(tells: Tell[], options?: {asks?: number; worker?: string; context?: Context}):
    Promise<{receipts: Receipt[]; plays: Play[]}>;
  /** Learns what was measured before, once, however often its answer is lost. */
  learn(losses: PastLoss[], options?: {outside?: Past['outside']; id?: string}):
    Promise<{learned: number; projected: number; skipped: number}>;
  /** What to deploy, where these are known. */
  recommend(context?: Context):
    Promise<{values?: Values; point: number[]; asked: number; context?: Context; proof?: Proof}>;
  /** Stops exploring, or explores again. */
  pause(paused?: boolean): Promise<{paused: boolean}>;
  /** Writes a note and tags on it, in place of what was there. */
  label(label: Label): Promise<Label>;
  /** What it is made of, and what it has done. */
  show(): Promise<Shown>;
  /** What has become of a play. */
  fate(play: number): Promise<'pending' | 'told' | 'expired'>;
}
