// Starts the fault server for clients in other languages and prints its address. It ends when its standard input does.
import { startFaultServer } from './fault-server.ts'

const server = await startFaultServer()
process.stdout.write(`${server.url}\n`)
process.stdin.resume().once('end', () => void server.stop())
