import { eventually, freePort } from '@wp/testkit'
import { startNginx } from './nginx.ts'
import { start } from './start.ts'

/** A proxy that ours is compared with. */
export interface Peer {
  name: string
  /** Short, for the head of a column. */
  word: string
  port: number
  pid: number | undefined
  stop(): void
}

/** Starts all that this machine can run and waits until they answer; says so where one is missing. */
export async function startPeers(upstream: string): Promise<Peer[]> {
  const bare = await startNode('bare http-proxy-middleware', 'bare', 'bare-proxy.ts', upstream)
  const fastify = await startNode('@fastify/http-proxy', 'fastify', 'fastify-proxy.ts', upstream)
  const port = await freePort()
  const nginx = startNginx(upstream, port)
  if (nginx === undefined) process.stdout.write('nginx is not installed here, so it is left out\n')
  const peers = [
    bare,
    fastify,
    ...(nginx === undefined ? [] : [{ name: 'nginx, auth_request', word: 'nginx', port, ...nginx }]),
  ]
  await Promise.all(peers.map((peer) => eventually(() => fetch(`http://127.0.0.1:${peer.port}/stats`))))
  return peers
}

async function startNode(name: string, word: string, file: string, upstream: string): Promise<Peer> {
  const port = await freePort()
  const child = start(file, { PORT: String(port), TARGET: upstream })
  return { name, word, port, pid: child.pid, stop: () => void child.kill('SIGKILL') }
}
