// A webhook receiver: WEBHOOK_SECRET=whsec_… node receiver.mjs [port] [folder of the certificate]
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { buffer } from 'node:stream/consumers'

const [port = '9443', folder = '.local/certificates'] = process.argv.slice(2)
const cert = readFileSync(`${folder}/localhost.pem`)
const key = readFileSync(`${folder}/localhost-key.pem`)

createServer({ cert, key }, async (request, response) => {
  const body = await buffer(request)
  const expected = Buffer.from(createHmac('sha256', process.env.WEBHOOK_SECRET).update(body).digest('hex'))
  const given = Buffer.from(request.headers['x-webhook-signature'] ?? '')
  const isAuthentic = given.length === expected.length && timingSafeEqual(given, expected)
  console.log(isAuthentic ? 'authentic' : 'rejected', body.toString())
  response.writeHead(isAuthentic ? 204 : 400).end()
}).listen(Number(port), 'localhost')
