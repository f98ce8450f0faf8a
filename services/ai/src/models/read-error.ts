import { redactIntegrationSecrets } from '@wp/outbound'
import type { TransportResponse } from './transport.ts'

/** Bytes of an error response that are read for its message. */
const maxErrorBytes = 16_384

/** Returns what an error response says, without the secret. */
export async function readError({ body }: TransportResponse, secret: string | undefined) {
  const text = await readText(body)
  const message = messageOf(text)
  return {
    message: message === undefined || secret === undefined ? message : redactIntegrationSecrets([secret])(message),
    // OpenAI sends it as a code or a type, with the status of a rate limit: it does not pass by waiting.
    isOutOfQuota: /"insufficient_quota"/.test(text),
  }
}

/** Reads the beginning of a body. A body that breaks off has a beginning too. */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxErrorBytes) break
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads `{"error": {"message": …}}`, as OpenAI sends it, and `error`, `message` or `detail` of others as a text. */
function messageOf(text: string): string | undefined {
  try {
    const { error, message, detail } = firstOf(JSON.parse(text)) ?? {}
    const found = error?.message ?? error ?? message ?? detailOf(detail)
    return typeof found === 'string' && found !== '' ? found : undefined
  } catch {
    return undefined
  }
}

/** Gemini's error responses are a list of one. */
const firstOf = (document: unknown) => (Array.isArray(document) ? document[0] : document)

/** FastAPI, with which many servers are made, sends a text, or a list of what is wrong with each field. */
const detailOf = (detail: unknown): unknown =>
  typeof detail === 'string' || detail === undefined ? detail : JSON.stringify(detail)
