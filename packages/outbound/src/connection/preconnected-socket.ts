import type { Socket } from 'node:net'

/**
 * A connected socket for clients that insist on connecting theirs themselves, such as `pg`: it stays connected to the
 * address that was vetted, whatever `connect` is told.
 */
export function asPreconnectedSocket(socket: Socket): Socket {
  const connect = () => {
    process.nextTick(() => socket.emit('connect'))
    return socket
  }
  return Object.assign(socket, { connect })
}
