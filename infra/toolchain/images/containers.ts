import { runCommand } from './run-command.ts'

/** The lines of the log that explain why a container is not healthy. */
const logLines = 8

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

async function listContainers(project: string, ...options: string[]): Promise<string[]> {
  const filter = `label=com.docker.compose.project=${project}`
  return linesOf(await runCommand(['docker', 'ps', '--quiet', '--filter', filter, ...options]))
}

/** Returns name and state of the containers of a project that are neither healthy nor ended with code 0. */
export async function findUnhealthy(project: string): Promise<{ name: string; state: string }[]> {
  const ids = await listContainers(project, '--all')
  if (ids.length === 0) return []
  const code = '{{if eq .State.Status "exited"}} {{.State.ExitCode}}{{end}}'
  // A container that has ended keeps the health that it had before.
  const health = '{{if and .State.Running .State.Health}} {{.State.Health.Status}}{{end}}'
  const format = `{{.Name}} {{.State.Status}}${code}${health}`
  const lines = await runCommand(['docker', 'inspect', '--format', format, ...ids])
  return linesOf(lines)
    .map((line) => ({ name: line.slice(1, line.indexOf(' ')), state: line.slice(line.indexOf(' ') + 1) }))
    .filter(({ state }) => state !== 'running healthy' && state !== 'exited 0')
}

/** Returns the states of these containers with the ends of their logs. */
export async function describeUnhealthy(project: string): Promise<string> {
  const descriptions = (await findUnhealthy(project)).map(async ({ name, state }) => {
    const log = await runCommand(['sh', '-c', `docker logs --tail ${logLines} "$1" 2>&1`, 'sh', name])
    return `${name} is ${state}; the end of its log:\n${log}`
  })
  return (await Promise.all(descriptions)).join('\n')
}

/** Returns a line for each running container of a project: its name, memory and limit. */
export async function readMemory(project: string): Promise<string[]> {
  const format = '{{.Name}} {{.MemUsage}}'
  const ids = await listContainers(project)
  return linesOf(await runCommand(['docker', 'stats', '--no-stream', '--format', format, ...ids])).sort()
}
