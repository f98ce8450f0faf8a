import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programCache } from '../program-cache.ts'
import { createPythonEnvironment, pythonOf } from '../python-environment.ts'

const requirements = join(import.meta.dirname, 'requirements.txt')
const goModule = join(import.meta.dirname, 'go')

/** Other sources have another path. */
const versionOf = (...files: string[]): string => {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}
const pythonFolder = () => join(programCache(), `python-clients-${versionOf(requirements)}`)
const goProgram = () => join(programCache(), `mcp-go-${versionOf(join(goModule, 'main.go'), join(goModule, 'go.sum'))}`)

/** Returns the Python with the packages `openai`, `mcp` and `fastmcp`; undefined before `npm run clients`. */
export const findPythonClients = (): string | undefined => [pythonOf(pythonFolder())].find(existsSync)

/** Returns the program of the MCP client in Go; undefined before `npm run clients`. */
export const findGoMcpClient = (): string | undefined => [goProgram()].find(existsSync)

/**
 * Installs clients of other makers in the cache, unless they are there: those in Python, and one in Go.
 * @throws Error if one cannot be had; the others are installed all the same
 */
export async function installOtherClients(): Promise<undefined> {
  mkdirSync(programCache(), { recursive: true })
  const installs = await Promise.allSettled([
    findPythonClients() ??
      createPythonEnvironment(pythonFolder(), { signal: undefined, minMinor: 10 }, [['-r', requirements]]),
    findGoMcpClient() ?? buildGoMcpClient(),
  ])
  for (const result of installs) if (result.status === 'rejected') throw result.reason
}

/** Builds beside the path of the program and moves it there, because other checkouts use it. */
async function buildGoMcpClient(): Promise<void> {
  const unfinished = `${goProgram()}.${process.pid}`
  try {
    await promisify(execFile)('go', ['build', '-o', unfinished, '.'], { cwd: goModule })
    renameSync(unfinished, goProgram())
  } finally {
    rmSync(unfinished, { force: true })
  }
}
