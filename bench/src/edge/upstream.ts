// The upstream of every proxy in the edge benchmark: verifies the assertion if there is one, reads the body, and
// responds with 256 bytes. `GET /stats` returns its counters.
import { createServer } from 'node:http'
import { assertionHeader, createVerifier, openKeyRing } from '@wp/service'

const verifier = createVerifier('data', await openKeyRing(process.env.ASSERTION_KEYS_FILE ?? ''))
const body = Buffer.from(JSON.stringify({ success: true, data: 'x'.repeat(226) }))
const counters = { requests: 0, verified: 0, rejected: 0, bytes: 0 }

createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  if (request.url === '/stats') return void response.end(JSON.stringify(counters))
  counters.requests += 1
  for await (const chunk of request) counters.bytes += chunk.length
  const assertion = request.headers[assertionHeader]
  if (typeof assertion === 'string') {
    const isValid = (await verifier.verify(assertion)) !== undefined
    counters[isValid ? 'verified' : 'rejected'] += 1
    if (!isValid) response.statusCode = 401
  }
  response.setHeader('content-type', 'application/json')
  response.setHeader('content-length', body.length)
  response.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
