import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

type Respond = (response: ServerResponse) => void

const json = { 'content-type': 'application/json' }

/** Writes pieces as fast as the client reads them, until there are none or the client disconnects. */
function stream(response: ServerResponse, pieces: Iterator<string | Buffer, void>): void {
  const write = () => {
    for (;;) {
      const { value, done } = pieces.next()
      if (done || response.destroyed) return void response.end()
      if (!response.write(value)) return
    }
  }
  response.on('drain', write)
  write()
}

function* keys(total: number): Generator<string, void> {
  yield '{"k":0'
  const perPiece = 1_000
  for (let from = 0; from < total; from += perPiece)
    yield Array.from({ length: perPiece }, (_, at) => `,"k${from + at}":0`).join('')
  yield '}'
}

function* repeated(piece: string | Buffer, bytes: number): Generator<string | Buffer, void> {
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece
}

const mebibyte = 2 ** 20

/** A list of numbers in place of objects. */
function zeros(mebibytes: number): Respond {
  return (response) => {
    response.writeHead(200, json)
    response.end(`{"data":[0${',0'.repeat((mebibytes * mebibyte) / 2)}]}`)
  }
}

/** A gibibyte of `0` as gzip: 1 MiB for each of 1,024 members. */
const bombMember = gzipSync(Buffer.alloc(mebibyte, '0'))

/** The hostile responses, by name. Each ends by itself or with its connection. */
export const responses: Readonly<Record<string, Respond>> = {
  '0.5 MiB of zeros': zeros(0.5),
  '3 MiB of zeros': zeros(3),
  '16 MiB of zeros': zeros(16),
  'arrays nested 1,000,000 deep': (response) => {
    response.writeHead(200, json)
    response.end('['.repeat(1_000_000))
  },
  'objects nested 1,000,000 deep': (response) => {
    response.writeHead(200, json)
    response.end('{"data":'.repeat(1_000_000))
  },
  '10,000,000 keys': (response) => {
    response.writeHead(200, json)
    stream(response, keys(10_000_000))
  },
  'a line of 2 GiB': (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    stream(response, repeated('x'.repeat(65_536), 2 * 1024 * mebibyte))
  },
  'a text value of 2 GiB': (response) => {
    response.writeHead(200, json)
    response.write('{"data":"')
    stream(response, repeated('x'.repeat(65_536), 2 * 1024 * mebibyte))
  },
  'gzip of 1 GiB': (response) => {
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' })
    stream(response, repeated(bombMember, 1024 * bombMember.length))
  },
  'a byte per second': (response) => {
    response.writeHead(200, json)
    const timer = setInterval(() => response.write('['), 1_000)
    response.once('close', () => clearInterval(timer))
  },
}
