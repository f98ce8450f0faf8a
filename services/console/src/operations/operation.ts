import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Browser } from '../session/read-browser.ts'

/** Result of an operation: the data of the response, and the cookies it sets. */
export interface SessionResult {
  data: unknown
  cookies?: readonly string[]
}

/** An endpoint of the console's own API, below `/console/api/session`. */
export interface SessionEndpoint<Body extends z.ZodType = z.ZodType> {
  method: 'GET' | 'POST'
  /** Path below `/console/api/session`. */
  path: '' | `/${string}`
  /** Default 200. */
  status?: 202
  /** Shape of the body; without it the body must be empty. */
  body?: Body
  run(context: Context, browser: Browser, input: { body: z.output<Body> }): Promise<SessionResult>
}

/** Declares an endpoint; the type of its input follows from `body`. */
export const sessionEndpoint = <Body extends z.ZodType>(endpoint: SessionEndpoint<Body>): SessionEndpoint =>
  endpoint as unknown as SessionEndpoint // the router passes `run` a body that it parsed by `body`
