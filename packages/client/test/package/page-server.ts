import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface PageServer {
  origin: string
  /** Sets the folder whose modules are served below `/client`. */
  serve(folder: string): void
  close(): Promise<void>
}

/** Serves an empty page and the modules of a folder, as the site of a user of the client does. */
export async function startPageServer(): Promise<PageServer> {
  let folder = ''
  const server = createServer(async (request, response) => {
    const [, path] = /^\/client\/([\w./-]+\.js)$/.exec(request.url ?? '') ?? []
    if (path === undefined) return response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title>')
    const code = await readFile(join(folder, path)).catch(() => undefined)
    response.writeHead(code === undefined ? 404 : 200, { 'content-type': 'text/javascript' }).end(code)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    origin: `http://127.0.0.1:${port}`,
    serve(served) {
      folder = served
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
