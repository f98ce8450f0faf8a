import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { eventually } from '@wp/testkit'

/** Starts a listener that neither accepts nor refuses connections: a stopped process with a full accept queue. */
export async function startFullAcceptQueue(): Promise<{ url: string; stop(): void }> {
  const listener = spawn(process.execPath, [
    '-e',
    "require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port) })",
  ])
  const [line] = await once(listener.stdout, 'data')
  const port = Number(String(line))
  listener.kill('SIGSTOP')
  const fillers: Socket[] = []
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined) // it only fills the queue
    fillers.push(socket)
    const full = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 50))
    return Promise.race([full, once(socket, 'connect').then(() => false)])
  })
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      for (const socket of fillers) socket.destroy()
      listener.kill('SIGKILL')
    },
  }
}
