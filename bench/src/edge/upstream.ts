// What stands behind every proxy of the edge benchmark: verifies the assertion where there is one, reads the body,
// answers 256 bytes. `GET /stats` says what it saw.
import { createServer } from 'node:http'
import { assertionHeader, createVerifier, openKeyRing } from '@wp/service'

const verifier = createVerifier('data', await openKeyRing(process.env.ASSERTION_KEYS_FILE ?? ''))
const body = Buffer.from(JSON.stringify({ success: true, data: 'x'.repeat(226) }))
const seen = { requests: 0, verified: 0, refused: 0, bytes: 0 }

createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  if (request.url === '/stats') return void response.end(JSON.stringify(seen))
  seen.requests += 1
  for await (const chunk of request) seen.bytes += chunk.length
  const assertion = request.headers[assertionHeader]
  if (typeof assertion === 'string') {
    const asserted = await verifier.verify(assertion)
    if (asserted === undefined) seen.refused += 1
    else seen.verified += 1
    if (asserted === undefined) response.statusCode = 401
  }
  response.setHeader('content-type', 'application/json')
  response.setHeader('content-length', body.length)
  response.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
