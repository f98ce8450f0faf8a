import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '@wp/testkit'
import { type MeterReading, startMeter } from './harness/process-usage.ts'
import { report } from './harness/report.ts'
import { alternate, median } from './harness/statistics.ts'

const root = join(import.meta.dirname, '../..')
const settleMs = 15_000

/** Measures the starts of the platform in one process, and what it uses while it does nothing. */
export async function run({ rounds, seconds }: Record<'rounds' | 'seconds', number>): Promise<void> {
  let folder = mkdtempSync(join(tmpdir(), 'wp-start-'))
  const kinds = ['empty folder', 'again'] as const
  try {
    await stop(await start(folder)) // builds what is missing
    const times = await alternate(kinds, rounds, async (kind) => {
      if (kind === 'empty folder') {
        rmSync(folder, { recursive: true })
        folder = mkdtempSync(join(tmpdir(), 'wp-start-'))
      }
      const started = await start(folder)
      await stop(started)
      return started.seconds
    })
    const rows = [...times].map(([name, of]) => ({ name, 'median s': median(of), 'least s': Math.min(...of) }))
    report('start', rows, { rounds, ...(await measureIdle(folder, seconds)) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Started {
  child: ChildProcess
  /** From the start of the command to the line that says that the platform is ready. */
  seconds: number
}

async function start(folder: string): Promise<Started> {
  const flags = ['port', 'postgres-port', 'nats-port']
  const ports = await Promise.all(flags.map(async (flag) => [`--${flag}`, String(await findFreePort())]))
  const args = [join(root, 'infra/toolchain/exec-program.sh'), 'infra/local/src/main.ts', '--data-dir', folder]
  const startedAt = performance.now()
  const child = spawn('sh', [...args, ...ports.flat(), '--base-port', String(await findFreePort())], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (/^ready after/m.test(output)) break
  }
  if (!/^ready after/m.test(output)) throw new Error(`the start failed: ${output.slice(-500)}`)
  return { child, seconds: (performance.now() - startedAt) / 1_000 }
}

async function stop({ child }: Started): Promise<void> {
  child.kill('SIGINT')
  if (child.exitCode === null) await once(child, 'exit')
}

/** Returns the cores in use and the memory of each process of a started platform that receives no requests. */
async function measureIdle(folder: string, seconds: number) {
  const started = await start(folder)
  await pause(settleMs)
  const server = (name: string) => Number(readFileSync(join(folder, name, 'server.pid'), 'utf8').split(' ')[0])
  const read = startMeter([
    { name: 'platform', pid: started.child.pid ?? 0 },
    { name: 'PostgreSQL', pid: server('postgres'), withChildren: true },
    { name: 'NATS', pid: server('nats') },
  ])
  await pause(seconds * 1_000)
  const usage = read()
  await stop(started)
  return { idle: summarize(usage) }
}

const summarize = ({ seconds, processes }: MeterReading) =>
  Object.fromEntries(
    processes.map(({ name, cpuMs, pssMiB }) => [name, { cores: cpuMs / 1_000 / seconds, MiB: Math.round(pssMiB) }]),
  )
