// A reference proxy: Node's HTTP server and undici, the parts of the gateway's buffered transport, without any check,
// limit or header of its own. What the gateway needs beyond it is the gateway's own work.
import { createServer } from 'node:http'
import { Pool } from 'undici'

const pool = new Pool(process.env.TARGET ?? '', { connections: 256, pipelining: 1, allowH2: false })

createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const { method = 'GET', url: path = '/', headers } = request
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  delete headers.host
  delete headers.connection
  pool.dispatch(
    { method, path, headers, body: hasBody ? request : null },
    {
      onRequestStart: () => undefined,
      onResponseStart(_controller, status, responseHeaders) {
        delete responseHeaders.connection
        delete responseHeaders['keep-alive']
        response.writeHead(status, responseHeaders)
      },
      onResponseData: (_controller, chunk) => void response.write(chunk),
      onResponseEnd: () => void response.end(),
      onResponseError: () => void response.destroy(),
    },
  )
}).listen(Number(process.env.PORT), '127.0.0.1')
