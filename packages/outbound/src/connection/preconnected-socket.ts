import type { Socket } from 'node:net'

/**
 * Returns a connected socket whose `connect` only reports the existing connection. For clients that call `connect`
 * themselves, such as `pg`: they stay connected to the validated address.
 */
export function asPreconnectedSocket(socket: Socket): Socket {
  const connect = () => {
    process.nextTick(() => socket.emit('connect'))
    return socket
  }
  return Object.assign(socket, { connect })
}
