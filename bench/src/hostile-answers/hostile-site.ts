// A process with HTTP and HTTPS servers that answer any request with the hostile response named by the first segment of
// its path.
import { serveCalls } from '../harness/helper-process.ts'
import { startServer } from '../neighbours/hostile-server.ts'
import { responses } from './responses.ts'

const names = Object.keys(responses)
const listener: Parameters<typeof startServer>[0] = (request, response) => {
  request.resume()
  const respond = responses[names[Number(request.url?.split('/')[1])] ?? '']
  if (respond === undefined) response.writeHead(404).end()
  else respond(response)
}

const http = await startServer(listener)
const https = await startServer(listener, { cert: process.env.CERTIFICATE ?? '', key: process.env.KEY ?? '' })

serveCalls({ urls: () => ({ http: http.url, https: https.url }) })
