/** Thrown when no node of the search engine responds in time. */
export class SearchEngineUnavailable extends Error {
  override name = 'SearchEngineUnavailable'
}

/** Thrown when the search engine rejects a request. */
export class SearchEngineError extends Error {
  override name = 'SearchEngineError'
  readonly status: number

  /** @param response the beginning of the body */
  constructor(status: number, response: string) {
    super(`the search engine responded with ${status}: ${response}`)
    this.status = status
  }
}

/** True if an index or alias does not exist. */
export const isMissingIndex = (error: unknown): boolean => error instanceof SearchEngineError && error.status === 404
