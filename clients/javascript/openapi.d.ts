// Made by scripts/javascript-types from src/service/openapi.yaml.

export type Copied = {
  /** How long the log is now. */
  log_bytes: number;
};

/** Times are milliseconds since 1970; a number that is not known is null. */
export type Glance = {
  /** Plays a second over the last ten. */
  rate?: number | null;
  last_tell?: number | null;
  /** The mean of the first losses seen. */
  first?: number | null;
  /** The mean of the latest ones. */
  recent?: number | null;
  maximize?: boolean;
  paused?: boolean;
  alarms?: Array<string>;
};

/** Times are milliseconds since 1970; a number that is not known is null. */
export type Curve = {
  /** Since when the study is watched. */
  since?: number;
  /** How many plays had been told before that. */
  told_before?: number;
  from?: Array<number>;
  to?: Array<number>;
  asks?: Array<number>;
  tells?: Array<number>;
  /** Of the losses told. */
  mean?: Array<number | null>;
  /** A tenth are below. */
  p10?: Array<number | null>;
  /** A tenth are above. */
  p90?: Array<number | null>;
  exploring?: Array<number | null>;
  reach?: Array<number | null>;
  marks?: Array<{
    at?: number;
    kind?: 'restart' | 'pause' | 'resume' | 'change';
    text?: string;
  }>;
};

export type Name = string;

/** What somebody wrote on the study, in at most 10,000 bytes of UTF-8. */
export type Note = string;

/** Words by which studies are found. */
export type Tags = Array<string>;

/** What people write on a study. Nothing is learned from it. */
export type Label = {
  note?: Note;
  tags?: Tags;
};

/** Who asks. */
export type Worker = string;

/** A point of the set. */
export type Point = Array<number>;

/** What to run, by the names of the space. */
export type Values = Record<string, unknown>;

/** What is known, by the names of the contexts of the space: a number, a name, or true or false each. What is null is not known. What is left out is not known either, but for a clock, which is read when a play is asked for. */
export type Context = Record<string, number | string | boolean | null>;

export type Plays = Array<{
  /** The number by which to tell its loss. */
  play: number;
  values?: Values;
  point: Point;
  /** True if exploring was paused; then its loss is not learned from. */
  recommended?: boolean;
  /** The first play of its pair, for learners that see each loss at two points. */
  pair?: number;
  context?: Context;
}>;

/** Plays with their first 32 values, contexts, metrics and coordinates. */
export type ToldPlays = Array<{
  play: number;
  loss: number;
  values?: Values;
  /** Empty if the log keeps no points. */
  point?: Array<number>;
  recommended?: boolean;
  pair?: number;
  context?: Context;
  /** What was told of them together with the loss. */
  metrics?: Record<string, number>;
}>;

export type Paused = {
  paused: boolean;
};

export type Tells = Array<{
  play: number;
  /** May be left out if there are metrics. */
  loss?: number;
  count?: Count;
  error?: LossError;
  metrics?: Metrics;
  /** Whether numbers of other names are kept, as notes that nothing is learned from; otherwise they are refused. */
  extra?: boolean;
}>;

/** What was measured besides, by the names of the limits of the space. */
export type Metrics = Record<string, number>;

/** How many measurements the loss is the mean of. Only for learners that can be taught: posterior and linear_thompson. */
export type Count = number;

/** Instead of the count, the standard error of the loss; the count is 1 / error^2. */
export type LossError = number;

export type Past = {
  /** Of your choice; with it the call may be made again. */
  id?: string;
  losses: Array<{
    values?: Values;
    point?: Point;
    loss?: number;
    count?: Count;
    error?: LossError;
    context?: Context;
    metrics?: Metrics;
  }>;
  /** What is done with a point outside the set: the call is refused, the nearest point is taken for it, or it is left out. */
  outside?: 'refuse' | 'project' | 'skip';
};

export type Receipts = Array<'fresh' | 'repeated' | 'expired' | 'late'>;

export type Status = {
  status?: string;
};

/** What a study is made of, by the names of 'keyhole study create'. */
export type NewStudy = {
  name: Name;
  /** The spec of a set; or else a space. */
  set?: string;
  space?: Space;
  start?: Values;
  learner?: string;
  seed?: number;
  stream?: number;
  window?: number;
  expiry?: number;
  max_step?: number;
  max_steps?: Array<number>;
  maximize?: boolean;
  /** What the log keeps of each point, the point or 32 bits of a hash of it. */
  facts?: 'points' | 'witness';
};

/** Parameters by name (docs/spaces.md); a study has a space or else a set. */
export type Space = {
  parameters: Array<{
    name: string;
    type?: 'number' | 'integer' | 'choice' | 'shares' | 'levels' | 'fixed';
    from?: number;
    to?: number;
    scale?: 'linear' | 'log';
    /** Of an integer, how far its values are apart. */
    step?: number;
    unit?: string;
    /** What shares sum to. */
    total?: number;
    /** Of each share, or of all of them. */
    least?: number | Array<number>;
    /** Of each share, or of all of them. */
    most?: number | Array<number>;
    /** Of a choice or of shares, which have texts alone. */
    names?: Array<string | number | boolean>;
    /** Numbers that rise, or texts, in their order. */
    levels?: Array<string | number>;
    /** What every play gets. */
    fixed?: string | number | boolean;
  }>;
  constraints?: Array<string>;
  /** What is known when a play is asked for. */
  contexts?: Array<Record<string, unknown>>;
  /** Metrics and their limits (docs/limits.md). */
  limits?: Array<Record<string, unknown>>;
};

/** Where a study was changed, and what became of its losses so far. */
export type Change = {
  /** The latest play before. */
  after: number;
  learned: number;
  dropped: number;
};

/** How a limit is kept; what is not known is left out. */
export type KeptLimit = {
  /** The mean of the metric, as it was told lately. */
  recent?: number;
  /** The share of those beyond the limit. */
  over?: number;
  /** What the metric is believed to be at the point to deploy. */
  recommended?: number;
  /** The standard deviation of that. */
  error?: number;
  /** By how much the loss of a round would fall if the limit were one wider. */
  price?: number;
  /** There, and true, if the start is seen to be over the limit. */
  start_is_over?: boolean;
  /** There, and true, if every point is. */
  none_is_within?: boolean;
  /** The price in words. */
  price_says?: string;
  /** All of it in words. */
  says: string;
};

/** Empty where nothing is believed. With gains there are gain and gain_error, else loss and loss_error. Errors are standard deviations. */
export type Estimate = {
  loss?: number;
  loss_error?: number;
  gain?: number;
  gain_error?: number;
  /** How much more that is than at what is recommended. */
  excess?: number;
  excess_error?: number;
};

/** What is believed of a point. With gains there are gain, gain_error and gain_measured, else loss, loss_error and loss_measured. */
export type FrontPoint = {
  metric: number;
  /** The standard deviation of it. */
  metric_error: number;
  loss?: number;
  /** The standard deviation of it. */
  loss_error?: number;
  gain?: number;
  /** The standard deviation of it. */
  gain_error?: number;
  values?: Values;
  point: Point;
  /** How many were told within a twentieth of the diameter of the point, since the space was last changed. */
  plays: number;
  /** The mean of what was told of these. */
  metric_measured?: number;
  /** The mean of what was told of these. */
  loss_measured?: number;
  /** The mean of what was told of these. */
  gain_measured?: number;
};

/** The description of a study, and what it has done. */
export type Study = {
  name: Name;
  note?: Note;
  tags?: Tags;
  set?: string;
  space?: Record<string, unknown>;
  learner: string;
  dimension?: number;
  needs_renewal?: boolean;
  paused?: boolean;
  /** For how many seconds it could be brought back; only if it could. */
  kept_if_deleted?: number;
  /** How many losses of the past it has learned. */
  past?: number;
  changed?: Change;
  /** How many numbers of contexts were so far outside their ranges that nearer ones were taken, and how many names were never listed; only if the space has contexts. */
  clipped?: number;
  asked: number;
  told: number;
  pending: number;
  oldest_pending?: number;
  missing?: number;
  repeated?: number;
  expired?: number;
  late?: number;
  mean_loss?: number;
  recent_mean_loss?: number;
  exploring?: number;
  reach?: number;
  restarts?: number;
  belief?: Record<string, unknown>;
  proof?: Proof;
  /** How each limit of the space is kept, by the name of its metric. */
  limits?: Record<string, KeptLimit>;
  /** The bounds at which the best point lies, by the names of their parameters, once the gain is reliable: they may be too tight. */
  at_bound?: Record<string, number>;
  log_bytes?: number;
  /** How much of the log is known to be on the disk; 0 before the first step. */
  durable_bytes?: number;
};

/** What a coin that plays the start has shown of what is played otherwise. */
export type Proof = {
  /** The share of the plays at the start; 0 without a coin. */
  share: number;
  /** How much better it is, once ten plays at the start were told. */
  gain?: number;
  /** Half of the interval of 95 %, which holds at all times at once. */
  error?: number;
  /** The play since which the interval lies above 0, if it does. */
  proven?: number;
  /** The play since which what is played is known to be worse, if it is. */
  worse?: number;
  says?: string;
};

export type Problem = {
  /** The word of an error of the library, or one of the service (docs/service.md). */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Which of the tells, or of the losses of the past, it is about, from 0 on. */
  index?: number;
  /** Of a database that has failed: whether it may have stored the call. If not, nothing was stored. */
  maybe_stored?: boolean;
};
