import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { findFreePort } from '../src/index.ts'

const module = join(import.meta.dirname, '../src/servers/ports.ts')

it('processes that choose among few ports at the same time never choose the same', async () => {
  const own = new Set(await Promise.all(Array.from({ length: 300 }, () => findFreePort())))
  expect(own.size).toBe(300)
  // Nothing listens on these ports yet. The random numbers of the other process point at them.
  const others = choose([...own], 'process.exit()')
  expect(others.filter((port) => own.has(port))).toEqual([])
})

it.each(['process.exit()', `process.kill(process.pid, 'SIGKILL')`])(
  'a port can be chosen again after its process has ended by %s',
  (ending) => {
    const [port = 0] = choose([], ending)
    // The first look at the port of a process that was killed removes the reservation.
    expect(choose([port, port], 'process.exit()')).toEqual([port])
  },
)

/** Finds a port in another process, which first tries `candidates` and then others. */
function choose(candidates: readonly number[], ending: string): number[] {
  const program = `
    const crypto = process.getBuiltinModule('node:crypto')
    const { randomInt } = crypto
    const candidates = ${JSON.stringify(candidates)}
    crypto.randomInt = (...range) => candidates.shift() ?? randomInt(...range)
    process.getBuiltinModule('node:module').syncBuiltinESMExports()
    const { findFreePort } = await import(${JSON.stringify(module)})
    process.stdout.write(JSON.stringify([await findFreePort()]), () => { ${ending} })`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  return JSON.parse(stdout)
}
