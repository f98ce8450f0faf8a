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
  process.once('exit', end)
  return {
    pids: children.flatMap(({ pid }) => pid ?? []),
    [Symbol.dispose]() {
      end()
      process.removeListener('exit', end)
    },
  }
}
