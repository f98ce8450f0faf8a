import type { IncomingMessage, ServerResponse } from 'node:http'
import { chooseEncoding, matchesTag } from '@wp/service'
import { etagOfBytes, type WebFile } from './web-build.ts'

/** Tags of contents, which are hashed once. */
const tags = new WeakMap<Buffer, string>()

/**
 * Sends a file in the smallest encoding that the client accepts; 304 if it has it, no body for HEAD.
 *
 * @param headers further headers of the response; they state the caching
 */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: WebFile,
  headers: Readonly<Record<string, string>>,
): void {
  const variants = { br: file.brotli, gzip: file.gzip }
  const accepted = request.headers['accept-encoding']
  const encoding = chooseEncoding(
    typeof accepted === 'string' ? accepted : undefined,
    (name) => variants[name] !== null,
  )
  const body = (encoding === undefined ? null : variants[encoding]) ?? file.content
  const etag = tagOf(body)
  response.setHeader('content-type', file.contentType)
  response.setHeader('vary', 'accept-encoding')
  response.setHeader('etag', etag)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  const condition = request.headers['if-none-match']
  if (condition !== undefined && matchesTag(condition.replaceAll(/\bW\//g, ''), etag)) {
    response.removeHeader('content-type')
    return void response.writeHead(304).end()
  }
  if (encoding !== undefined) response.setHeader('content-encoding', encoding)
  response.setHeader('content-length', body.length)
  response.end(request.method === 'HEAD' ? undefined : body)
}

function tagOf(body: Buffer): string {
  const known = tags.get(body)
  if (known !== undefined) return known
  const tag = etagOfBytes(body)
  tags.set(body, tag)
  return tag
}
