import type { EndpointDefinition, FileResponse } from '@wp/contracts'
import { type HttpResponse, privateCaching } from './send-response.ts'

/** Builds the response of an endpoint that responds with a file. @throws if the endpoint does not declare its type */
export function buildFileResponse(
  { id, fileTypes = [], secret }: EndpointDefinition,
  { contentType, filename, disposition = 'attachment', length, etag, open }: FileResponse,
): HttpResponse {
  if (!fileTypes.includes(contentType)) throw new Error(`${id} does not declare the file type ${contentType}`)
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      'content-disposition': contentDisposition(disposition, filename),
      'x-content-type-options': 'nosniff',
      ...(secret === undefined ? privateCaching : { 'cache-control': 'no-store' }),
      ...(length === undefined ? {} : { 'content-length': String(length) }),
      ...(etag === undefined ? {} : { etag: `"${etag}"` }),
    },
    body: length === undefined ? open : () => withLength(open(), length),
  }
}

/** Yields the content. @throws before a byte too much is sent, or at the end if bytes are missing */
async function* withLength(content: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let sent = 0
  for await (const chunk of content) {
    sent += chunk.length
    if (sent > length) break
    yield chunk
  }
  if (sent !== length) throw new Error(`the content of a file differs from its length of ${length} bytes`)
}

/**
 * Formats `Content-Disposition` (RFC 6266): an ASCII file name for old clients, and the exact one percent-encoded
 * (RFC 8187) where the two differ.
 */
export function contentDisposition(disposition: 'attachment' | 'inline', filename: string): string {
  const ascii = filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const plain = `${disposition}; filename="${ascii}"`
  return ascii === filename ? plain : `${plain}; filename*=UTF-8''${encodeExtValue(filename)}`
}

/** Percent-encodes all but the characters that RFC 8187 section 3.2.1 allows. */
const encodeExtValue = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
