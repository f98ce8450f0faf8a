import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { findFreePort, findFreePorts } from '../src/index.ts'

const module = join(import.meta.dirname, '../src/servers/process/ports.ts')

it('processes that choose among few ports at the same time never choose the same', async () => {
  const own = new Set(await Promise.all(Array.from({ length: 300 }, () => findFreePort())))
  expect(own.size).toBe(300)
  // Nothing listens on these ports yet. The random numbers of the other process point at them.
  const others = choose([...own], 'process.exit()')
  expect(others.filter((port) => own.has(port))).toEqual([])
})

it('consecutive ports are reserved together', async () => {
  const first = await findFreePorts(20)
  const row = Array.from({ length: 20 }, (_, index) => first + index)
  expect(row).not.toContain(choose([...row], 'process.exit()')[0])

  // The last five of these ten ports are the first of the row.
  const [other = 0] = choose([first - 5], 'process.exit()', 10)
  expect(other + 9 < first || other > first + 19).toBe(true)
})

it.each(['process.exit()', `process.kill(process.pid, 'SIGKILL')`])(
  'a port can be chosen again after its process has ended by %s',
  (ending) => {
    const [port = 0] = choose([], ending)
    // The first look at the port of a process that was killed removes the reservation.
    expect(choose([port, port], 'process.exit()')).toEqual([port])
  },
)

/** Finds `count` ports in another process, which first tries to begin with `candidates` and then with others. */
function choose(candidates: readonly number[], ending: string, count = 1): number[] {
  const program = `
    const crypto = process.getBuiltinModule('node:crypto')
    const { randomInt } = crypto
    const candidates = ${JSON.stringify(candidates)}
    crypto.randomInt = (...range) => candidates.shift() ?? randomInt(...range)
    process.getBuiltinModule('node:module').syncBuiltinESMExports()
    const { findFreePorts } = await import(${JSON.stringify(module)})
    process.stdout.write(JSON.stringify([await findFreePorts(${count})]), () => { ${ending} })`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  return JSON.parse(stdout)
}
