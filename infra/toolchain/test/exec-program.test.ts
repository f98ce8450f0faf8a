import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { usage } from '../../local/src/options.ts'

const root = join(import.meta.dirname, '../../..')
const program = 'infra/local/src/main.ts'

/** A variable of the tests would hide the one that the command sets. */
const environment = { ...process.env, NODE_COMPILE_CACHE: undefined }

describe('npm start', () => {
  it('prints nothing but the command on standard output, with paths relative to the project', () => {
    const args = ['infra/toolchain/bootstrap.mjs', '--command', program]
    const { stdout, status } = spawnSync('node', args, { cwd: root, env: environment, encoding: 'utf8' })
    expect(stdout).toMatch(
      /^env MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 NODE_COMPILE_CACHE=dist\/\S+ node_modules\/node\/bin\/node --max-semi-space-size=4 dist\/\S+\.js\n$/,
    )
    expect(status).toBe(0)
  })

  it('keeps a compile cache that the user has set, whatever its path', () => {
    const args = ['infra/toolchain/bootstrap.mjs', '--command', program]
    const env = { ...process.env, NODE_COMPILE_CACHE: '/tmp/a b' }
    const { stdout } = spawnSync('node', args, { cwd: root, env, encoding: 'utf8' })
    expect(stdout).toMatch(/^env \S+=2 \S+=131072 node_modules/)
  })

  it('prints its help without Node.js and an installation', () => {
    const args = [join(root, 'infra/toolchain/exec-program.sh'), program, '--help']
    const env = { PATH: '/usr/bin:/bin' }
    const { stdout, status } = spawnSync('sh', args, { cwd: '/', env, encoding: 'utf8' })
    expect({ stdout, status }).toEqual({ stdout: usage, status: 0 })
  })

  it('passes its options to the program, and ends with its exit code', () => {
    const args = [join(root, 'infra/toolchain/exec-program.sh'), program, '--prot', 'a b']
    const { stderr, stdout, status } = spawnSync('sh', args, { cwd: '/', env: environment, encoding: 'utf8' })
    expect(stdout + stderr).toContain("start: unknown option '--prot'")
    expect(status).toBe(1)
  })
})
