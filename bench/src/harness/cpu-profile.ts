import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/**
 * Summarizes the profile of a process that ran with `--cpu-prof`.
 *
 * @param directory the `--cpu-prof-dir` of the process
 * @returns the functions with the largest shares of its busy time, largest first
 */
export function summarizeCpuProfile(directory: string, maxRows = 25): { function: string; share: number }[] {
  const [file] = globSync('*.cpuprofile', { cwd: directory })
  if (file === undefined) return []
  const { nodes, samples, timeDeltas }: Profile = JSON.parse(readFileSync(join(directory, file), 'utf8'))
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  let busyTime = 0
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? ''
    const time = timeDeltas[index] ?? 0
    if (name === '(idle)') continue
    busyTime += time
    times.set(name, (times.get(name) ?? 0) + time)
  }
  return [...times]
    .map(([name, time]) => ({ function: name, share: time / busyTime }))
    .sort((a, b) => b.share - a.share)
    .slice(0, maxRows)
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName || '(anonymous)'
  const path = url
    .replace(/^file:\/\//, '')
    .replace(/^.*node_modules\//, '')
    .replace(join(import.meta.dirname, '../../..'), '')
  return `${functionName || '(anonymous)'} ${path}:${lineNumber + 1}`
}
