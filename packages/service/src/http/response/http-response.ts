/** A response to send. */
export interface HttpResponse {
  status: number
  headers: Record<string, string | readonly string[]>
  /** Text, or a function that opens the chunks of a streamed body. */
  body: string | (() => AsyncIterable<Uint8Array | string>)
}

/** A response whose body is text. */
export type BufferedResponse = HttpResponse & { body: string }

/** Headers of a response that the caller alone may store, and must revalidate before each use. */
export const privateCaching = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, x-api-key, x-workspace-key',
} as const
