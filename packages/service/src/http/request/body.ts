import type { IncomingMessage } from 'node:http'
import { type BodyStream, type EndpointDefinition, problem, scimMediaType } from '@wp/contracts'
import { checkJsonBounds, parseJson } from './parse-json.ts'

/** Maximum size of a JSON or form body, in bytes. */
export const maxBodyBytes = 1_048_576
/** Maximum number of parameters of a form body, checked before it is parsed. */
const maxFormParameters = 100
/** Maximum size of a streamed body, in bytes. */
export const maxStreamBytes = 1_073_741_824

/**
 * Reads the body of a request and parses it by its content type. An empty body is `{}`, an ignored one undefined; a
 * stream is returned unread.
 * @throws Problem if it is malformed, too large, or of an unsupported type
 */
export async function readBody(request: IncomingMessage, definition: EndpointDefinition): Promise<unknown> {
  if (definition.input === 'stream') return streamOf(request, definition.contentTypes ?? [])
  if (definition.method === 'GET') return undefined
  if (definition.input !== 'ignored') rejectContentEncoding(request)
  const chunks = chunksOf(request)
  const bytes = await readBytes({ chunks, contentLength: Number(request.headers['content-length'] ?? 0) }, maxBodyBytes)
  if (definition.input === 'ignored') return undefined
  if (bytes.length === 0) return {}
  const { type } = contentTypeOf(request)
  if (type === 'application/json' || (type === scimMediaType && definition.protocol === 'scim'))
    return parseJsonBody(bytes)
  if (type === 'application/x-www-form-urlencoded' && definition.input === 'form')
    return parseForm(decode(bytes), definition)
  throw unsupported(
    definition.input === 'form' ? ['application/json', 'application/x-www-form-urlencoded'] : ['application/json'],
  )
}

/** Parses a JSON body within the bounds of `checkJsonBounds`. @throws Problem if it is malformed or repeats a member */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  return parseJson(text, checkJsonBounds(bytes))
}

function streamOf(request: IncomingMessage, contentTypes: readonly string[]): BodyStream {
  rejectContentEncoding(request)
  const { type, charset } = contentTypeOf(request)
  // An empty body needs no type.
  if (!contentTypes.includes(type) && !(type === '' && isEmpty(request))) throw unsupported(contentTypes)
  const length = request.headers['content-length']
  if (length !== undefined && Number(length) > maxStreamBytes) throw tooLarge(maxStreamBytes)
  return {
    contentType: type,
    charset,
    contentLength: length === undefined ? undefined : Number(length),
    respondAsync: /(^|,)\s*respond-async\s*(,|;|$)/i.test(String(request.headers.prefer ?? '')),
    chunks: limitBytes(chunksOf(request), maxStreamBytes),
  }
}

const isEmpty = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0

/** Returns the body of a request; the connection stays open when reading stops early, for the error response. */
export const chunksOf = (request: IncomingMessage): AsyncIterable<Buffer> =>
  request.iterator({ destroyOnReturn: false })

async function* limitBytes(chunks: AsyncIterable<Uint8Array>, ...limit: Limit): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > limit[0]) throw tooLarge(...limit)
    yield chunk
  }
}

/** Reads a body of at most some bytes. @throws Problem `payload_too_large`, with the detail that is given */
export async function readBytes(
  { chunks, contentLength = 0 }: Pick<BodyStream, 'chunks'> & Partial<Pick<BodyStream, 'contentLength'>>,
  ...limit: Limit
): Promise<Buffer> {
  if (contentLength > limit[0]) throw tooLarge(...limit)
  return Buffer.concat(await Array.fromAsync(limitBytes(chunks, ...limit)))
}

/** The most bytes, and the detail of the error where there are more. */
type Limit = [maxBytes: number, detail?: string]

function contentTypeOf(request: IncomingMessage): { type: string; charset: string | undefined } {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';').map((part) => part.trim())
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))
  return { type: type.toLowerCase(), charset: charset?.slice('charset='.length).replaceAll('"', '').toLowerCase() }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw problem('malformed_body', { detail: 'The body is not UTF-8', cause })
  }
}

/**
 * RFC 6749 section 3.2: a parameter must not occur twice, unless an extension allows it, and an empty one counts as
 * omitted.
 */
function parseForm(
  text: string,
  { repeatable = [] }: Pick<EndpointDefinition, 'repeatable'>,
): Record<string, string | string[]> {
  if (text.split('&', maxFormParameters + 1).length > maxFormParameters)
    throw problem('invalid_request', { detail: `The body must have at most ${maxFormParameters} parameters` })
  const form: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = form[name]
    if (earlier !== undefined && !repeatable.includes(name))
      throw problem('invalid_request', { detail: `${name} must occur once` })
    if (value.includes('\0')) throw problem('invalid_request', { detail: `${name} must not contain NUL` })
    if (value !== '') form[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return { ...form }
}

function rejectContentEncoding(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw problem('unsupported_media_type', { detail: `The content encoding ${encoding} is not supported` })
}

const tooLarge = (...[maxBytes, detail = `The body must have at most ${maxBytes} bytes`]: Limit) =>
  problem('payload_too_large', { detail })
const unsupported = (types: readonly string[]) =>
  problem('unsupported_media_type', { detail: `The content type must be ${types.join(' or ')}` })
