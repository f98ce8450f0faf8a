import { type ChildProcess, spawn } from 'node:child_process'

/** Processes that keep one CPU busy each, until they are disposed or this process exits. */
export interface BusyProcesses extends Disposable {
  pids: readonly number[]
}

/** Starts `count` processes that run an endless loop. */
export function startBusyProcesses(count: number): BusyProcesses {
  const children: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }),
  )
  const end = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  const exit = () => process.exit(130)
  process.once('exit', end)
  // A signal ends a process without its `exit` event.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, exit)
  return {
    pids: children.flatMap(({ pid }) => pid ?? []),
    [Symbol.dispose]() {
      end()
      process.removeListener('exit', end)
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeListener(signal, exit)
    },
  }
}
