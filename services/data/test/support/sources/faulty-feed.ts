import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type FeedRow = Record<string, unknown>

const rowsPerPage = 10

/** The rows of a page of a feed, from 1. */
export const rowsOf = (page: number): FeedRow[] =>
  Array.from({ length: rowsPerPage }, (_, nth) => ({ id: `${page}-${nth}`, room: `Room ${nth}`, people: nth }))

export const toCsv = (rows: readonly FeedRow[], names: readonly string[] = ['id', 'room', 'people']): string =>
  [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))].map((cells) => `${cells.join(',')}\n`).join('')

/** A response in place of the right one. */
export interface FeedResponse {
  status: number
  type: string
  body: string
  headers?: Record<string, string>
  /** True to end the body by closing the connection, without a length or chunks. */
  isUnbounded?: boolean
}
export type Fault = (rows: readonly FeedRow[]) => FeedResponse

const respond = (type: string, body: string, status = 200): FeedResponse => ({ status, type, body })
export const respondJson = (value: unknown): FeedResponse => respond('application/json', JSON.stringify(value))

/** The faults of a feed of JSON. */
export const faults: Readonly<Record<string, Fault>> = {
  'a sign-in page': () => respond('text/html', '<!doctype html><title>Sign in</title><p>Sign in to go on'),
  'a sign-in page sent as JSON': () => respond('application/json', '<!doctype html><p>Sign in to go on'),
  'an error message': () => respondJson({ error: 'quota' }),
  null: () => respondJson(null),
  'no content': () => respond('application/json', '', 204),
  'a truncated body': (rows) => respond('application/json', JSON.stringify(rows).slice(0, -20)),
  'rows without the key': (rows) => respondJson(rows.map(({ id: _id, ...row }) => row)),
  'no row': () => respondJson([]),
  'half of the rows': (rows) => respondJson(rows.slice(0, rows.length / 2)),
  text: () => respond('text/plain', 'Service temporarily unavailable'),
}

export interface FeedServer {
  url: string
  /** Sets the response for a page. */
  serve(respond: (page: number) => FeedResponse): void
  close(): void
}

/** Starts a server of pages; the query parameter `page` names one. */
export async function startFeedServer(): Promise<FeedServer> {
  let respondTo = (_page: number): FeedResponse => ({ status: 404, type: 'text/plain', body: '' })
  const server = createServer((request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page') ?? 1)
    const { status, type, body, headers, isUnbounded = false } = respondTo(page)
    response.useChunkedEncodingByDefault = !isUnbounded
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a server that listens on TCP has such an address
    serve(next) {
      respondTo = next
    },
    close: () => void server.close(),
  }
}
