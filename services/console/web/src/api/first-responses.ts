declare global {
  /** The responses to the requests that the page made first, by workspace and path. */
  var firstResponses: Map<string, Promise<Response>> | undefined
}

/** Later the responses are out of date. */
const maxAgeMs = 10_000

/**
 * Returns the response to a request that the page made first, once; undefined if it has made none.
 *
 * @param workspaceId the workspace of a call of the API; empty for the console's own
 */
export function takeFirstResponse(workspaceId: string, path: string): Promise<Response> | undefined {
  const key = `${workspaceId} ${path}`
  const response = performance.now() < maxAgeMs ? globalThis.firstResponses?.get(key) : undefined
  globalThis.firstResponses?.delete(key)
  return response
}

/** Returns true if the page has made requests of a workspace first whose responses were not taken yet. */
export const hasFirstResponses = (workspaceId: string): boolean =>
  performance.now() < maxAgeMs &&
  [...(globalThis.firstResponses?.keys() ?? [])].some((key) => key.startsWith(workspaceId))

/** Drops the responses, because something was changed. */
export function dropFirstResponses(): void {
  globalThis.firstResponses = undefined
}
