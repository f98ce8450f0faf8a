/**
 * The part of the contract of an endpoint that the client reads: plain JSON, so that a program can contain it without
 * the contracts and their zod schemas.
 */
export interface EndpointEntry {
  /** `<surface>.<verb>`: the method of the client. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /**
   * `stream`: the body is sent as it is, without a time limit. Default `json`, with an idempotency key if it changes
   * something.
   */
  input?: 'json' | 'form' | 'stream' | 'ignored'
  /** `none`: called without a credential. */
  credentials?: 'none'
  /** The platform may take minutes to respond. */
  isLong?: true
  result: EndpointResult
  /** The endpoint can respond with events, too: the path at which they continue, with the id of the run as `{id}`. */
  eventsPath?: string
}

/** The part of a success response that a method returns. `data`: the resource. */
export type EndpointResult =
  | { kind: 'data' }
  /** `{ status, data }`, where the endpoint has several success statuses. */
  | { kind: 'data-with-status' }
  | { kind: 'page'; meta?: true }
  | { kind: 'deleted'; idField: string }
  /** The body, which has no envelope. */
  | { kind: 'bare' }
  /** Server-sent events. `isRun`: those of a run, which end with `[DONE]`. */
  | { kind: 'events'; isRun?: true }
  /** A file: the response as it is. */
  | { kind: 'file' }

/** The endpoints of a client. */
export type EndpointTable = readonly EndpointEntry[]
