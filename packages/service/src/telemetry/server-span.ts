import type { Span } from '@wp/runtime'

/** Ends the span of a request that was served. Only failures of the server are errors: a refusal is an answer. */
export function endServerSpan(span: Span | undefined, statusCode: number): void {
  if (span === undefined) return
  span.setAttributes({ 'http.response.status_code': statusCode })
  span.end(statusCode >= 500 ? String(statusCode) : undefined)
}
