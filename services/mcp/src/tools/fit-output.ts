import { type EndpointDefinition, type Page, problem, type RequestOf } from '@wp/contracts'
import type { ToolOutput } from './output-schema.ts'

/** Maximum size of the JSON of a tool's output, in bytes: about 25,000 tokens of a language model. */
export const maxOutputBytes = 100_000

/** The lengths to which texts and lists are cut, in the order in which they are tried. */
const cuts = [
  { characters: 20_000, elements: 500 },
  { characters: 4_000, elements: 100 },
  { characters: 1_000, elements: 30 },
  { characters: 300, elements: 10 },
  { characters: 100, elements: 3 },
] as const

/** Size that the notice and the other members beside `data` may take, in bytes. */
const reservedBytes = 2_000

/** Pages that are read again with fewer elements; each time with at most half as many. */
const maxSmallerPages = 3

type Request = RequestOf<EndpointDefinition>

/**
 * Returns the output for a resource. Long texts and lists in it are cut if it is too large.
 * @throws Problem if that is not enough
 */
export function fitResource(definition: EndpointDefinition, data: unknown): ToolOutput {
  if (jsonBytes(data) <= maxOutputBytes - reservedBytes) return { data }
  return cut(definition, { data })
}

/**
 * Reads a page and returns its output. If it is too large, the page is read again with fewer elements, so that its
 * cursor continues after the last one; the texts and lists of one large element are cut.
 * @param read reads the page of a request
 */
export async function fitPage(
  definition: EndpointDefinition,
  request: Request,
  read: (request: Request) => Promise<unknown>,
): Promise<ToolOutput> {
  let limit: number | undefined
  for (let smaller = 0; ; smaller++) {
    const page = (await read(limit === undefined ? request : withLimit(definition, request, limit))) as ReadPage // the type of every list
    const output = pageOutput(page)
    const bytes = jsonBytes(output)
    const notice = limit === undefined ? {} : { notice: smallerPageNotice(page.items.length) }
    if (bytes <= maxOutputBytes - reservedBytes) return { ...output, ...notice }
    if (page.items.length <= 1 || smaller === maxSmallerPages) return cut(definition, { ...output, ...notice })
    limit = Math.max(1, Math.floor(page.items.length * Math.min(0.5, (maxOutputBytes - reservedBytes) / bytes)))
  }
}

type ReadPage = Page<unknown> & { meta?: unknown }

const pageOutput = ({ items, nextCursor, meta }: ReadPage): ToolOutput => ({
  data: items,
  pagination: { next_cursor: nextCursor, has_more: nextCursor !== null },
  ...(meta === undefined ? {} : { meta }),
})

/** The limit is a field of the query or of the body. */
function withLimit({ query }: EndpointDefinition, request: Request, limit: number): Request {
  if (query !== undefined && Object.hasOwn(query.shape, 'limit'))
    return { ...request, query: { ...request.query, limit: String(limit) } }
  return { ...request, body: { ...(request.body as object | undefined), limit } as never } // a body with a limit is an object
}

const smallerPageNotice = (count: number) =>
  `Only ${count} elements fit into one result; continue with \`cursor\`, or request fewer fields.`

/** Elements of a page are not removed: its cursor continues after all of them. */
function cut(definition: EndpointDefinition, { data, ...output }: ToolOutput): ToolOutput {
  const maxBytes = maxOutputBytes - reservedBytes - jsonBytes(output)
  const shorter = Array.isArray(data) ? cutElements(data, maxBytes) : cutToSize(data, maxBytes)
  if (shorter === undefined) throw tooLarge(definition)
  const notice = `The result was too large: texts longer than ${shorter.characters} characters and lists of more than ${shorter.elements} elements were cut. ${fullResult(definition)}`
  return { ...output, data: shorter.value, notice: [output.notice, notice].filter(Boolean).join(' ') }
}

function cutElements(elements: readonly unknown[], maxBytes: number) {
  const named = Object.fromEntries(elements.map((element, index) => [String(index), element]))
  const shorter = cutToSize(named, maxBytes)
  return shorter && { ...shorter, value: Object.values(shorter.value as object) } // an object stays one
}

const fullResult = ({ method, path }: EndpointDefinition) => `${method} ${path} of the API returns all of it.`

const tooLarge = (definition: EndpointDefinition) =>
  problem('payload_too_large', {
    detail: `The result is too large for a tool. ${fullResult(definition)}`,
  })

/** Returns the size of a value as JSON, in bytes. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** A value that was cut to a size. */
interface CutValue {
  value: unknown
  characters: number
  elements: number
}

/**
 * Cuts long texts and lists of a JSON value as little as needed for a size. Members of objects stay, so the value still
 * matches its schema.
 * @returns undefined if it is still too large
 */
export function cutToSize(value: unknown, maxBytes: number): CutValue | undefined {
  for (const cut of cuts) {
    const shorter = applyCut(value, cut)
    if (jsonBytes(shorter) <= maxBytes) return { value: shorter, ...cut }
  }
  return undefined
}

function applyCut(value: unknown, cut: (typeof cuts)[number]): unknown {
  if (typeof value === 'string')
    return value.length > cut.characters ? `${value.slice(0, cut.characters).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.slice(0, cut.elements).map((element) => applyCut(element, cut))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, applyCut(member, cut)]))
}
