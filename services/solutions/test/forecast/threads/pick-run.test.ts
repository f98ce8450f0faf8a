import { describe, expect, it } from '@jest/globals'
import { pickRun, type RunLoad } from '../../../src/forecast/threads/pick-run.ts'
import { randomOf } from '../signals.ts'

const run = (name: string, busyThreads: number, hasWaiting = true): RunLoad & { name: string } => ({
  name,
  workspaceId: `${name[0]}`,
  busyThreads,
  hasWaiting,
})

describe('the run that gets the next thread', () => {
  it.each<[string, ReturnType<typeof run>[], [string, number][], string | undefined]>([
    ['is none when nothing waits', [run('a', 2, false)], [], undefined],
    ['is the only one', [run('a', 3)], [], 'a'],
    ['is of the workspace with fewer threads', [run('a', 2), run('b', 1)], [], 'b'],
    ['counts all runs of a workspace', [run('a1', 1), run('a2', 1), run('b', 1)], [], 'b'],
    [
      'is of the workspace served less recently',
      [run('a', 1), run('b', 1)],
      [
        ['a', 1],
        ['b', 2],
      ],
      'a',
    ],
    ['is of a workspace that was never served', [run('a', 0), run('b', 0)], [['a', 1]], 'b'],
    ['is the run with fewer threads in a workspace', [run('a1', 2), run('a2', 1)], [], 'a2'],
    ['is the older one of equals', [run('a1', 1), run('a2', 1)], [], 'a1'],
    ['skips a run without waiting series', [run('a', 0, false), run('b', 3)], [], 'b'],
  ])('%s', (_title, runs, turns, expected) => {
    expect(pickRun(runs, new Map(turns))?.name).toBe(expected)
  })

  it('keeps the threads of waiting workspaces equal within one, whatever ends first', () => {
    const random = randomOf(4)
    const runs = [run('a1', 0), run('a2', 0), run('b', 0), run('c', 0)]
    const turns = new Map<string, number>()
    for (let step = 1; step <= 2_000; step += 1) {
      const busy = runs.reduce((sum, { busyThreads }) => sum + busyThreads, 0)
      const picked = busy < 6 ? pickRun(runs, turns) : undefined
      if (picked === undefined) {
        const ends = runs.filter(({ busyThreads }) => busyThreads > 0)
        const ended = ends[Math.floor(random() * ends.length)]
        if (ended !== undefined) ended.busyThreads -= 1
        continue
      }
      picked.busyThreads += 1
      turns.set(picked.workspaceId, step)
      const threadsOf = (workspaceId: string) =>
        runs.filter((one) => one.workspaceId === workspaceId).reduce((sum, one) => sum + one.busyThreads, 0)
      const others = ['a', 'b', 'c'].map(threadsOf)
      expect(threadsOf(picked.workspaceId) - Math.min(...others)).toBeLessThanOrEqual(1)
    }
    expect(turns.size).toBe(3)
  })
})
