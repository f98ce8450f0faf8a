import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'

/** Responses by name: addresses, no response at all, or a server failure. Other names do not exist. */
export type Zone = Record<string, readonly string[] | 'silent' | 'failing'>

/** Starts a name server on loopback that supports A and AAAA queries (RFC 1035). */
export async function dnsServer(zone: Zone) {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = question(query)
    queries.push(name)
    const entry = zone[name]
    if (entry === 'silent') return
    const addresses = Array.isArray(entry) ? entry.filter((address) => isIP(address) === (type === 1 ? 4 : 6)) : []
    const code = entry === undefined ? nameError : entry === 'failing' ? serverFailure : 0
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(addresses.length, 6)
    header.writeUInt32BE(0, 8)
    const records = addresses.map((address) => record(type, bytesOf(address)))
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { server: `127.0.0.1:${socket.address().port}`, queries, close: () => socket.close() }
}

const serverFailure = 2
const nameError = 3

function question(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** Returns a record of class IN for the name in the question (a pointer), with TTL 0. */
function record(type: number, data: Buffer): Buffer {
  const fixed = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
  return Buffer.concat([fixed, data])
}

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const zeros = Array(8 - groups(head).length - groups(tail).length).fill('0')
  const words = [...groups(head), ...(address.includes('::') ? zeros : []), ...groups(tail)]
  return Buffer.from(words.flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 0xff]))
}
