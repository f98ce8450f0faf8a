import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { it } from '@jest/globals'
import { eventually, startNats } from '../src/index.ts'
import { readProcessInfo } from '../src/servers/process/process-info.ts'

const index = join(import.meta.dirname, '../src/index.ts')

it('a server and its folder are removed when the process that started it exits', async () => {
  const { pid, home } = await startElsewhere('process.exit(0)')
  await eventually(() => readProcessInfo(pid) === undefined && !existsSync(home), {
    description: 'the exit of the server',
  })
})

it('a server and its folder are removed by the next start when their process was killed', async () => {
  const { pid, home } = await startElsewhere(`process.kill(process.pid, 'SIGKILL')`)
  const nats = await startNats()
  await eventually(() => readProcessInfo(pid) === undefined && !existsSync(home), {
    description: 'the exit of the orphaned server',
  })
  await nats.stop()
})

/** Starts NATS in another process, which then runs `ending`. */
async function startElsewhere(ending: string): Promise<{ pid: number; home: string }> {
  const program = `
    const { startNats } = await import(${JSON.stringify(index)})
    const { pid, storeDir } = await startNats()
    process.stdout.write(JSON.stringify({ pid, home: storeDir }), () => { ${ending} })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const text = (await child.stdout.toArray()).join('')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return JSON.parse(text)
}
