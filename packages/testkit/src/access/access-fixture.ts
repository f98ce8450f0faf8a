import type { EdgeRequestOptions } from '../fleet/edge-request.ts'
import type { AccessContext } from './access-context.ts'

/** Request options, and the query string of the request. */
export type AccessRequest = EdgeRequestOptions & { query?: string }

/**
 * A request to one endpoint that succeeds for the owner of a workspace. An empty fixture needs no parameters and no
 * body.
 */
export interface AccessFixture {
  /** Creates the resource that the path names, and returns the path parameters. */
  params?(context: AccessContext): Promise<Record<string, string>>
  /** True if what `params` creates belongs to its principal: every other one of the workspace gets 404. */
  isPersonal?: true
  /** True if the path names what is the same in every workspace. */
  isForEveryone?: true
  /** Returns the credential to use, if the request would invalidate the shared one. */
  credential?(context: AccessContext): Promise<string>
  request?: EdgeRequestOptions
  /** Builds the request, if each must be different. Replaces `request`. */
  buildRequest?(context: AccessContext): AccessRequest | Promise<AccessRequest>
  /** A different body that also succeeds. Needed if the body has no `name` that a test can change. */
  alternativeBody?: unknown
  /**
   * Builds a body that names a resource of the owner. Sent by another workspace it must fail with an error at
   * `pointer`.
   */
  foreignReference?(context: AccessContext): Promise<{ body: unknown; pointer: string }>
  /** The reason why the endpoint accepts no idempotency key although it is a POST or PATCH. */
  withoutIdempotencyKey?: string
}

/** The fixtures of one service, by endpoint id. */
export type AccessFixtures = Readonly<Record<string, AccessFixture>>
